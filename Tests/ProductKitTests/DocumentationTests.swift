import Foundation
import Testing

/// Every Swift fence in the documentation is copied from a file that the compiler has seen.
@Suite(.timeLimit(.minutes(5))) struct DocumentationTests {
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

    @Test(arguments: Documentation.diagrams())
    func `every diagram is drawn from its source as it is now`(source: URL) throws {
        let text = try String(contentsOf: source, encoding: .utf8)
        let name = source.deletingPathExtension().lastPathComponent
        for drawing in ["\(name).svg", "\(name)~dark.svg"] {
            let file = Documentation.root.appending(path: "Docs/ProductKit.docc/\(drawing)")
            let svg = try String(contentsOf: file, encoding: .utf8)
            #expect(
                svg.contains("<![CDATA[\n\(text)]]>"),
                "draw \(drawing) with Docs/Diagrams/draw.sh"
            )
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

    /// Code that continuous integration compiles: the samples here, the screens for SwiftUI, the tests
    /// of the transports, and the package that `try-getting-started.sh` makes from that article.
    static func compiledSources() throws -> [String] {
        let folders = [
            "Tests/ProductKitTests/Samples", "Docs/Clients/Sources/Screens",
            "Docs/Transports/Tests",
        ]
        let samples =
            try folders
            .flatMap { files(under: $0, withExtension: "swift") }
            .map { normalized(try String(contentsOf: $0, encoding: .utf8)) }
        let gettingStarted = root.appending(path: "Docs/ProductKit.docc/GettingStarted.md")
        return samples + (try swiftFences(in: gettingStarted).filter(isFile))
    }

    /// Whether a fence begins with the name of the file that it is, or is a manifest.
    private static func isFile(_ fence: String) -> Bool {
        fence.prefixMatch(of: /\/\/ (swift-tools-version|[A-Za-z\/]+\.swift\n)/) != nil
    }

    static func diagrams() -> [URL] {
        files(under: "Docs/Diagrams", withExtension: "puml")
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
