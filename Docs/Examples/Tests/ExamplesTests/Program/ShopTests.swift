import EmbeddedStore
import Foundation
import Testing

/// Runs the program with each command.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ShopTests {
    @Test func `the program without a command shows a screen and compares it with the store`()
        async throws
    {
        let run = try await ShopProgram.run()

        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output.contains("✓ In 8 requests over real HTTP,\n"))
        #expect(run.output.hasSuffix("the screen and the store agree.\n"))
        #expect(run.output.contains("→ PUT /v1/favorites/walking-boots  200"))
    }

    @Test(arguments: ["shop", "shop~dark"])
    func `the picture in the documentation shows the output of the program`(
        name: String
    ) async throws {
        let picture = try String(
            contentsOf: URL(
                filePath: "../../../../ProductKit.docc/\(name).svg",
                relativeTo: URL(filePath: #filePath)
            ),
            encoding: .utf8
        )
        let recorded = try #require(picture.firstMatch(of: /(?s)<!\[CDATA\[(.*?)\]\]>/)).1

        let run = try await ShopProgram.run()

        #expect(
            withoutNumbers(recorded) == withoutNumbers(run.output),
            "draw shop.svg with Docs/Diagrams/draw.sh"
        )
    }

    @Test(
        arguments: [
            (["show", "walking-boots", "--currency", "JPY"], "¥21,800"),
            (["browse", "--search", "enamel mug"], "enamel-mug"),
            (["favorite", "walking-boots"], "★ Fellstride Walking Boots"),
            (["favorite", "walking-boots", "--off"], "☆ Fellstride Walking Boots"),
            (["add", "walking-boots", "--to", "wishlist"], "Lists: Wishlist"),
            (["lists"], "Camping trip (camping)"),
            (["lists", "create", "Summer trip"], "Summer trip ("),
            (["lists", "delete", "no-such-list"], "The list no-such-list is deleted"),
            (["race", "--rounds", "50"], "the screen and the store agreed"),
            (["--flaky", "0.4"], "the screen and the store agree"),
            (["--verbose"], "received status 200 and"),
            (["--help"], "serve"),
        ]
    )
    func `a command prints its result`(arguments: [String], expected: String) async throws {
        let run = try await ShopProgram.run(arguments)

        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output.contains(expected))
    }

    @Test(
        arguments: [
            (["show", "no-such-thing"], "This product is not in the shop"),
            (["add", "walking-boots", "--to", "nowhere"], "This list does not exist"),
            (["lists", "--token", "wrong"], "The bearer token is unknown or has expired."),
            (["lists", "add", "walking-boots", "--to", "nowhere"], "This list does not exist"),
            (["lists", "rename", "nowhere", "Here", "--if-unchanged"], "This list does not exist"),
            (["lists", "create", "Other", "--id", "camping"], "“Camping trip” was changed"),
            (["lists", "--api", "http://127.0.0.1:1/v1"], "cannot be reached"),
            (["lists", "--api", "HTTP://127.0.0.1:1/v1"], "cannot be reached"),
        ]
    )
    func `a failure prints one line and exits with 1`(
        arguments: [String],
        expected: String
    ) async throws {
        let run = try await ShopProgram.run(arguments)

        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.errors.contains(expected))
    }

    @Test func `an unknown command is named`() async throws {
        let run = try await ShopProgram.run(["nonsense"])

        #expect(run.status == 64)
        #expect(run.errors.contains("There is no command “nonsense”"))
    }

    @Test func `an unknown option is reported with a similar one`() async throws {
        let run = try await ShopProgram.run(["--flakey", "0.4"])

        #expect(run.status == 64)
        #expect(run.errors.contains("Unknown option '--flakey'. Did you mean '--flaky'?"))
    }

    @Test func `a port in use is named, with the error of the system`() async throws {
        try await withEmbeddedStore { _, baseURL in
            let port = try #require(baseURL.port)

            let run = try await ShopProgram.run(["serve", "--port", "\(port)"])

            #expect(run.status == 1)
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(run.errors.contains("at port \(port): Address already in use."))
        }
    }

    @Test func `a favorite status is stored by the store at --api`() async throws {
        try await withEmbeddedStore { store, baseURL in
            let run = try await ShopProgram.run(["favorite", "enamel-mug", "--api", "\(baseURL)"])

            #expect(run.status == 0)
            #expect(store.isFavorite("enamel-mug"))
        }
    }

    @Test func `lists are created, filled, renamed, emptied and deleted`() async throws {
        try await withEmbeddedStore { _, baseURL in
            func lists(_ arguments: String...) async throws -> String {
                let run = try await ShopProgram.run(
                    ["lists"] + arguments + ["--api", "\(baseURL)"]
                )
                #expect(run.status == 0 && run.errors.isEmpty)
                return run.output
            }
            let created = "Summer trip (summer)\n"

            for _ in 0..<2 {
                #expect(try await lists("create", "Summer trip", "--id", "summer") == created)
            }
            for _ in 0..<2 {
                let screen = try await lists("add", "enamel-mug", "--to", "summer")
                #expect(screen.contains("☑ Summer trip"))
            }
            #expect(try await lists().contains(created + "  enamel-mug\n"))
            #expect(
                try await lists("rename", "summer", "Autumn trip", "--if-unchanged")
                    == "Autumn trip (summer)\n  enamel-mug\n"
            )
            for _ in 0..<2 {
                let screen = try await lists("remove", "enamel-mug", "--from", "summer")
                #expect(screen.contains("☐ Autumn trip"))
            }
            for _ in 0..<2 { _ = try await lists("delete", "summer") }
            #expect(try await !lists().contains("summer"))
        }
    }

    @Test func `a web page instead of JSON is reported in one line`() async throws {
        try await withEmbeddedStore(
            intercept: { _, _ in
                StoreResponse(status: 200, text: "<html></html>", type: "text/html")
            }
        ) { _, baseURL in
            let run = try await ShopProgram.run(["show", "enamel-mug", "--api", "\(baseURL)"])

            #expect(run.status == 1)
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(run.errors.contains("cannot be read"))
        }
    }

    /// The lines of a text, with each number replaced because ports and times differ.
    private func withoutNumbers(_ text: some StringProtocol) -> [String] {
        text.trimmingCharacters(in: .newlines).replacing(/\d[\d,]*/, with: "0")
            .components(separatedBy: "\n")
    }
}
