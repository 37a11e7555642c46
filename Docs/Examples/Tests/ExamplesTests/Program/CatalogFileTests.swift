import Foundation
import Testing

/// Runs the commands `export` and `import`.
@Suite(.timeLimit(.minutes(1))) struct CatalogFileTests {
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
                #"{"items": [{"id": 1, "name": "Mug"}, {"id": 2}, {"id": 3, "name": "Cup"}]}"#,
                to: file
            )
            let run = try await ShopProgram.run(["import", file, "--member", "items"])

            #expect(run.status == 0)
            #expect(run.output.contains("skipped: element 1, name"))
            #expect(run.output.contains("✓ The store lists 2 products"))
        }
    }

    @Test func `a truncated file is reported in one line`() async throws {
        try await withFile { file in
            try write(#"[{"id": 1, "name": "Mug"}, {"id""#, to: file)
            let run = try await ShopProgram.run(["import", file])

            #expect(run.status == 1)
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(run.errors.contains("too early (at byte 32, complete elements before it: 1)"))
        }
    }

    @Test(arguments: ["import", "export"])
    func `a file that cannot be opened is named`(command: String) async throws {
        let run = try await ShopProgram.run([command, "/no/such/folder/catalog.json"])

        #expect(run.status == 1)
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.errors.contains("“/no/such/folder/catalog.json” cannot be read or written"))
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
