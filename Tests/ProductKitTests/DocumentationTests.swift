import Foundation
import Testing

/// Checks that the code in the documentation compiles, that its links work, and that its diagrams
/// are current.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentationTests {
    @Test func `the documentation contains Swift code`() throws {
        let fences = try Documentation.pages().flatMap { try Documentation.swiftFences(in: $0) }

        #expect(fences.count > 20)
    }

    @Test(arguments: Documentation.pages())
    func `the Swift code in a page occurs in a file that is compiled`(page: URL) throws {
        let compiled = try Documentation.compiledSources.get()
        for fence in try Documentation.swiftFences(in: page) {
            #expect(compiled.contains { $0.contains(fence) }, "not compiled anywhere:\n\(fence)")
        }
    }

    @Test(arguments: Documentation.diagrams())
    func `a diagram was drawn from the current version of its source`(source: URL) throws {
        let text = try String(contentsOf: source, encoding: .utf8)
        let name = source.deletingPathExtension().lastPathComponent
        for drawing in ["\(name).svg", "\(name)~dark.svg"] {
            let file = Repository.root.appending(path: "Docs/ProductKit.docc/\(drawing)")
            let svg = try String(contentsOf: file, encoding: .utf8)
            #expect(
                svg.contains("<![CDATA[\n\(text)]]>"),
                "draw \(drawing) with Docs/Diagrams/draw.sh"
            )
        }
    }

    @Test(arguments: Documentation.drawings())
    func `a drawing has a size and a variant for dark pages`(drawing: URL) throws {
        let svg = try String(contentsOf: drawing, encoding: .utf8)
        let name = drawing.deletingPathExtension().lastPathComponent
        let dark = drawing.deletingLastPathComponent().appending(path: "\(name)~dark.svg")
        let root = try #require(svg.firstMatch(of: /<svg [^>]*>/)).output

        #expect(root.contains(#/ width="[0-9.]+(px)?"/#))
        #expect(root.contains(#/ height="[0-9.]+(px)?"/#))
        #expect(
            name.hasSuffix("~dark")
                || FileManager.default.fileExists(atPath: dark.path(percentEncoded: false))
        )
    }

    @Test func `each step of a tap is declared in the file that the guide names`() throws {
        let guide = Repository.root.appending(path: "Docs/CONTRIBUTING.md")
        let text = try String(contentsOf: guide, encoding: .utf8)
        let steps = text.matches(of: /\n\| `([\w.]+)` \| \[[^\]]+\]\(\.\.\/([^)]+)\) \|/)

        #expect(steps.count == 28)
        for step in steps {
            let file = Repository.root.appending(path: String(step.2))
            let code = try String(contentsOf: file, encoding: .utf8)
            let name = try #require(step.1.split(separator: ".").last)
            let declaration = try Regex("\\b(func|struct|class|public var) \(name)\\b")
            #expect(code.contains(declaration), "\(step.1)")
        }
    }

    @Test func `the README shows Swift code in its first lines`() throws {
        let readme = Repository.root.appending(path: "README.md")
        let lines = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "\n")
        let line = try #require(lines.firstIndex(of: "```swift"))

        #expect(line + 1 <= 12)
    }

    @Test(arguments: Documentation.pages())
    func `a link to a file leads to an existing file`(page: URL) throws {
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
    /// The README, the articles and other documents, and the sources with their comments.
    static func pages() -> [URL] {
        Repository.files(in: "README.md", withExtensions: ["md"])
            + Repository.files(in: "Docs", withExtensions: ["md"])
            + Repository.files(in: "Sources", withExtensions: ["swift"])
    }

    /// The code that continuous integration compiles: the samples in this package, in `Clients` and in
    /// `ClientsWithUIKit`, the transport tests, and the package that `try-getting-started.sh` creates from the
    /// article of that name.
    static let compiledSources = Result {
        let folders = [
            "Tests/ProductKitTests/Samples", "Docs/Clients/Sources/Screens",
            "Docs/Clients/Sources/ClientOnMainActor", "Docs/ClientsWithUIKit/Sources/UIKitScreens",
            "Docs/Transports/Tests",
        ]
        let samples =
            try folders
            .flatMap { Repository.files(in: $0, withExtensions: ["swift"]) }
            .map { normalized(try String(contentsOf: $0, encoding: .utf8)) }
        let gettingStarted = Repository.root
            .appending(path: "Docs/ProductKit.docc/GettingStarted.md")
        return samples + (try swiftFences(in: gettingStarted).filter(isFile))
    }

    /// Whether a code block is a whole file: it begins with a file name, or it is a manifest.
    private static func isFile(_ fence: String) -> Bool {
        fence.prefixMatch(of: /\/\/ (swift-tools-version|[A-Za-z\/]+\.swift\n)/) != nil
    }

    static func diagrams() -> [URL] {
        Repository.files(in: "Docs/Diagrams", withExtensions: ["puml"])
    }

    static func drawings() -> [URL] {
        Repository.files(in: "Docs/ProductKit.docc", withExtensions: ["svg"])
    }

    /// The Swift code blocks of a page, also those in documentation comments.
    static func swiftFences(in page: URL) throws -> [String] {
        try String(contentsOf: page, encoding: .utf8)
            .components(separatedBy: "\n").map(withoutCommentMark).joined(separator: "\n")
            .components(separatedBy: "```swift\n").dropFirst()
            .map { normalized($0.components(separatedBy: "\n```")[0]) }
    }

    private static func withoutCommentMark(_ line: String) -> Substring {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///") else { return line[...] }
        let comment = text.dropFirst(3)
        return comment.hasPrefix(" ") ? comment.dropFirst() : comment
    }

    /// The code without its indentation and blank lines, which may differ between a page and a
    /// compiled file.
    private static func normalized(_ source: String) -> String {
        source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
