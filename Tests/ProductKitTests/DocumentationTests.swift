import Foundation
import Testing

/// Every Swift fence in the documentation is copied from a file that the compiler has seen.
@Suite(.timeLimit(.minutes(1))) struct DocumentationTests {
    @Test func `there are fences to check`() throws {
        let fences = try Documentation.pages().flatMap { try Documentation.swiftFences(in: $0) }

        #expect(fences.count > 20)
    }

    @Test(arguments: try Documentation.pages())
    func `every Swift fence compiles`(page: URL) throws {
        let compiled = try Documentation.compiledSources()
        for fence in try Documentation.swiftFences(in: page) {
            #expect(compiled.contains { $0.contains(fence) }, "not compiled anywhere:\n\(fence)")
        }
    }

    @Test func `the README shows code on its first screen`() throws {
        let readme = Documentation.root.appending(path: "README.md")
        let lines = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "\n")
        let line = try #require(lines.firstIndex(of: "```swift"))

        #expect(line + 1 <= 20)
    }

    @Test(arguments: try Documentation.pages())
    func `every link to a file leads to one`(page: URL) throws {
        let text = try String(contentsOf: page, encoding: .utf8)
        for link in text.matches(of: /\]\(([^)#]+)(?:#[^)]*)?\)/).map(\.1) {
            guard !link.contains("://"), !link.hasPrefix("<doc:") else { continue }
            let target = page.deletingLastPathComponent().appending(path: String(link))
            #expect(
                FileManager.default.fileExists(atPath: target.path(percentEncoded: false)),
                "\(link)"
            )
        }
    }
}

private enum Documentation {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func pages() throws -> [URL] {
        [root.appending(path: "README.md")]
            + files(under: "Docs", withExtension: "md")
            + files(under: "Sources", withExtension: "swift")
    }

    static func compiledSources() throws -> [String] {
        try files(under: "Tests/ProductKitTests/Samples", withExtension: "swift")
            .map { normalized(try String(contentsOf: $0, encoding: .utf8)) }
    }

    static func swiftFences(in page: URL) throws -> [String] {
        try String(contentsOf: page, encoding: .utf8)
            .replacing(/^ *\/\/\/ ?/.anchorsMatchLineEndings(), with: "")
            .components(separatedBy: "```swift\n").dropFirst()
            .map { normalized($0.components(separatedBy: "\n```")[0]) }
    }

    /// Indentation differs between a page and a function body; nothing else may.
    private static func normalized(_ source: String) -> String {
        source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    private static func files(under path: String, withExtension suffix: String) -> [URL] {
        let folder = root.appending(path: path)
        let names = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (names?.allObjects as? [URL] ?? [])
            .filter { file in
                let place = file.pathComponents.dropFirst(root.pathComponents.count)
                return file.pathExtension == suffix && !place.contains { $0.hasPrefix(".build") }
            }
            .sorted { $0.path() < $1.path() }
    }
}
