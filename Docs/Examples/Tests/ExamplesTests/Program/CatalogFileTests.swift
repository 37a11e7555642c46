import Foundation
import Testing

/// Runs the commands `export` and `import`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CatalogFileTests {
    @Test func `import reads every product that export wrote`() async throws {
        try await withFile { file in
            let exported = try await ShopProgram.run(["export", file, "--count", "2500"])
            let imported = try await ShopProgram.run(["import", file])

            #expect(exported.output == "Wrote 2,500 products to \(file).\n")
            #expect(imported.output.contains("✓ The store lists 2,500 products over real HTTP."))
            #expect(imported.errors.isEmpty)
        }
    }

    @Test func `an invalid product is skipped and reported`() async throws {
        try await withFile { file in
            try write(
                """
                {"id": 1, "name": "Mug"}
                {"id": 2}

                {"id": 3, "name": "Cup"}
                {"id": 4, "name
                """,
                to: file
            )
            let run = try await ShopProgram.run(["import", file])

            #expect(run.status == 0)
            #expect(run.output.contains("skipped: line 2, name is missing"))
            #expect(run.output.contains("skipped: line 5, which is not JSON"))
            #expect(run.output.contains("✓ The store lists 2 products"))
        }
    }

    @Test(
        arguments: [
            ("import", "/no/such/catalog.jsonl", "No such file or directory"),
            ("export", "/no/such/catalog.jsonl", "No such file or directory"),
            ("import", "/", "Is a directory"),
            ("export", "/", "It is not a regular file"),
            ("export", "/dev/stdout", "It is not a regular file"),
        ]
    )
    func `a file that cannot be used is named with the reason`(
        command: String,
        file: String,
        reason: String
    ) async throws {
        let run = try await ShopProgram.run([command, file])

        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(
            run.errors == """
                Error: “\(file)” cannot be read or written: \(reason). \
                Check the path, the permissions and the free disk space.

                """
        )
    }

    @Test func `export replaces the file that a link leads to, and leaves nothing else`()
        async throws
    {
        try await FileManager.default.withTemporaryDirectory { folder in
            let files = FileManager.default
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            let (file, link) = (folder.appending(path: "a.json"), folder.appending(path: "link"))
            try Data("before".utf8).write(to: file)
            try files.createSymbolicLink(at: link, withDestinationURL: file)

            let run = try await ShopProgram.run(
                ["export", link.path(percentEncoded: false), "--count", "0"]
            )

            #expect(run.status == 0)
            #expect(try Data(contentsOf: file) == Data())
            let names = try files.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            #expect(names.sorted() == ["a.json", "link"])
        }
    }

    private func write(_ text: String, to file: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file))
    }

    private func withFile(_ body: (String) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url.path(percentEncoded: false))
    }
}
