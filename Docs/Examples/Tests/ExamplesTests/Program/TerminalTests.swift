import EmbeddedStore
import Foundation
import Testing

/// Runs the program in terminals of several widths, and without a terminal.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TerminalTests {
    @Test(arguments: [40, 80, 120])
    func `every line of output fits into the terminal`(columns: Int) async throws {
        let commands = [[], ["--verbose"], ["browse"], ["lists"], ["race", "--rounds", "20"]]
        for command in commands {
            let run = try await ShopProgram.runInTerminal(
                command,
                columns: columns,
                input: "n\n1\nq\n"
            )

            #expect(run.status == 0)
            #expect(run.output.contains("\n"))
            // The input was typed before the prompts appeared, so they are not followed by its line feed.
            let lines = run.output.replacing("\u{1B}[K", with: "").replacing(" > ", with: " >\n")
                .split { "\n\r".contains($0) }
            #expect(lines.filter { $0.count > columns }.isEmpty)
        }
    }

    @Test func `the card is as wide as a narrow terminal`() async throws {
        let run = try await ShopProgram.runInTerminal(["show", "walking-boots"], columns: 40)

        let card = run.output.split(separator: "\n")
        #expect(Set(card.map(\.count)) == [40])
        #expect(card.first?.hasPrefix("  ┌─") == true && card.last?.hasSuffix("─┘") == true)
        #expect(card.contains { $0.hasSuffix(" €129.95 │") })
    }

    @Test(arguments: [20, 40, 80])
    func `the progress bar stays on one line that is not full`(columns: Int) async throws {
        try await FileManager.default.withTemporaryDirectory { file in
            let arguments = ["export", file.path(percentEncoded: false), "--count", "20000"]
            let run = try await ShopProgram.runInTerminal(arguments, columns: columns)

            let bars = run.output.split(separator: "\r").filter { $0.contains(" %") }
            #expect(bars.count == 20)
            #expect(bars.allSatisfy { $0.hasSuffix("\u{1B}[K") && !$0.contains("\n") })
            #expect(bars.allSatisfy { $0.count - "\u{1B}[K".count < columns })
        }
    }

    @Test(arguments: [["--verbose"], ["browse"], ["race", "--rounds", "5"]])
    func `the output contains no control codes without a terminal`(
        command: [String]
    ) async throws {
        let run = try await ShopProgram.run(command)

        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    }

    @Test(
        arguments: [
            ["--verbose"], ["show", "walking-boots", "--verbose"], ["show", "no-such-thing"],
            ["lists", "--token", "wrong"], ["lists", "create", ""],
        ]
    )
    func `the address of the store on this machine is not shown`(command: [String]) async throws {
        let run = try await ShopProgram.run(command)

        #expect(!(run.output + run.errors).contains("http:"))
        #expect(!(run.output + run.errors).contains("127.0.0.1"))
    }

    @Test func `an export that is interrupted changes no file`() async throws {
        try await FileManager.default.withTemporaryDirectory { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "catalog.json")
            try Data("before".utf8).write(to: file)
            let path = file.path(percentEncoded: false)

            let run = try await ShopProgram.runInTerminal(
                ["export", path, "--count", "10000000"],
                columns: 200,
                interruptedAfter: "1,000 products"
            )

            #expect(run.status == 130)
            #expect(run.output.hasSuffix("\u{1B}[KStopped. Nothing was written to \(path).\n"))
            #expect(try Data(contentsOf: file) == Data("before".utf8))
            #expect(FileManager.default.files(in: folder).count == 1)
        }
    }

    @Test func `a race that is interrupted prints its results in one line`() async throws {
        let run = try await ShopProgram.runInTerminal(
            ["race", "--rounds", "1000000"],
            columns: 80,
            interruptedAfter: " 2 rounds"
        )

        #expect(run.status == 130)
        #expect(run.output.count { $0 == "\n" } == 1)
        #expect(run.output.contains("\u{1B}[KStopped after "))
        #expect(run.output.contains(" toggles. The screen and the store agreed.\n"))
    }

    @Test func `a store that is interrupted ends regularly with a summary`() async throws {
        let run = try await ShopProgram.runInTerminal(
            ["serve"],
            columns: 80,
            interruptedAfter: "curl"
        )

        #expect(run.status == 0)
        #expect(run.output.hasSuffix("\nThe store was stopped. Requests: 0.\n"))
    }
}
