import Foundation
import Testing

/// The rooms of the house, from the ground up: a room may lean on the rooms below it, never above.
private let rooms = [
    "JSON", "Model", "Networking", "Behaviors", "Caching", "Services", "ViewModels",
]

@Suite(.timeLimit(.minutes(5))) struct HouseTests {
    @Test func `the house has these rooms and one front door`() throws {
        let entries = try FileManager.default.contentsOfDirectory(
            atPath: House.sources.path(percentEncoded: false)
        )

        #expect(Set(entries) == Set(rooms + ["ProductService.swift"]))
    }

    @Test(arguments: rooms.indices)
    func `a room leans only on the rooms below it`(index: Int) throws {
        let above = try Set(rooms[(index + 1)...].flatMap { try House.declaredNames(in: $0) })
            .union(["ProductService"])
        let files = try House.swiftFiles(under: House.sources.appending(path: rooms[index]))

        #expect(!files.isEmpty)
        for file in files {
            let words = try House.words(in: file)
            #expect(words.isDisjoint(with: above), "\(file.lastPathComponent) reaches upstairs")
        }
    }

    @Test func `no file is too long to read`() throws {
        for file in try House.swiftFiles(under: House.root) {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count <= 400, "\(file.lastPathComponent) holds more than one idea")
        }
    }

    @Test func `the package depends on nothing`() throws {
        let manifest = House.root.appending(path: "Package.swift")

        #expect(try !String(contentsOf: manifest, encoding: .utf8).contains(".package("))
    }

    @Test func `the library holds no escape from the compiler's checks`() throws {
        let escapes: Set<String> = ["fatalError", "unchecked", "unsafe", "assumeIsolated"]
        let exceptions = [
            "ThreadSanitizerMutex.swift", "BackgroundTaskBehavior+UIKit.swift",
            "ImmediateQueue.swift",
        ]
        for file in try House.swiftFiles(under: House.sources)
        where !exceptions.contains(file.lastPathComponent) {
            let words = try House.words(in: file)
            #expect(words.isDisjoint(with: escapes), "\(file.lastPathComponent)")
        }
    }

    @Test func `tests see the library as a stranger does and stand in for nothing`() throws {
        let conformance =
            /(?:struct|class|actor|enum|extension) [\w.]+(?:<[^>]*>)? *: [^{]*\b(?:Networking|RequestBehavior|Gettable|Creatable|Updatable|Deletable)\b/
        for file in try House.testFiles() where !file.pathComponents.contains("Samples") {
            let code = try House.code(in: file)
            let words = try House.words(in: file)
            #expect(!words.contains("testable"), "\(file.lastPathComponent)")
            #expect(!code.contains(/Task\.sleep|Thread\.sleep|usleep/), "\(file.lastPathComponent)")
            #expect(code.firstMatch(of: conformance) == nil, "\(file.lastPathComponent)")
        }
    }

    @Test func `every suite of tests has a time limit`() throws {
        for file in try House.testFiles() {
            let suites = try House.code(in: file).split(separator: "@Suite").dropFirst()
            for suite in suites {
                #expect(suite.prefix(80).contains(".timeLimit"), "\(file.lastPathComponent)")
            }
        }
    }
}

private enum House {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let sources = root.appending(path: "Sources/ProductKit")

    static func swiftFiles(under folder: URL) throws -> [URL] {
        let names = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let files = try #require(names?.allObjects as? [URL])
        return files.filter { file in
            let place = file.pathComponents.dropFirst(root.pathComponents.count)
            return file.pathExtension == "swift" && !place.contains { $0.hasPrefix(".build") }
        }
    }

    /// All files of tests but this one, which names what it looks for.
    static func testFiles() throws -> [URL] {
        try swiftFiles(under: root.appending(path: "Tests"))
            .filter { $0.lastPathComponent != "HouseTests.swift" }
    }

    static func declaredNames(in room: String) throws -> Set<String> {
        let declaration =
            /^(?:public |final |package )*(?:struct|class|enum|protocol|actor|typealias|func) (\w+)/
            .anchorsMatchLineEndings()
        let names = try swiftFiles(under: sources.appending(path: room))
            .flatMap { try code(in: $0).matches(of: declaration).map(\.1) }
        return Set(names.map(String.init))
    }

    static func code(in file: URL) throws -> String {
        try String(contentsOf: file, encoding: .utf8).replacing(/\/\/.*/, with: "")
    }

    static func words(in file: URL) throws -> Set<String> {
        let words = try code(in: file)
            .split { !($0.isLetter || $0.isNumber || $0 == "_") }
        return Set(words.map(String.init))
    }
}
