import Foundation
import Testing

/// The rooms of the library, which are the folders of `Sources/ProductKit`, and the rooms that the
/// code of each may use directly.
///
/// A room may also use the rooms that those use. `ProductService.swift` may use all of them.
private let directDependencies: [String: Set<String>] = [
    "JSON": [],
    "Model": ["JSON"],
    "Networking": ["Model"],
    "Behaviors": ["Networking"],
    "Caching": ["Networking", "Files"],
    "Files": [],
    "Offline": ["Services", "Files"],
    "Services": ["Networking"],
    "Testing": ["Networking"],
    "Transport": ["Networking"],
    "Users": ["Networking"],
    "ViewModels": ["Offline"],
]

/// The source files of 30 lines or fewer, and the reason for each.
private let smallFiles = [
    "ActionClosures.swift": "The types of actions, which all screens and articles use.",
    "Exports.swift": "The only re-export of another module.",
    "ImmediateQueue.swift": "One of the exceptions from the compiler's concurrency checks.",
    "LoadingPhase.swift": "The state of two screens, in a file with its name.",
    "LogicalTimestamp.swift": "A value that the store and all screens use.",
    "OutboxObserver.swift": "The connection of the outbox and the screens, for both rooms.",
    "ProductFailure.swift": "A type of its own, in a file with its name.",
    "ServiceBehaviors.swift": "A behavior of its own, in a file with its name.",
    "URLRequest+Method.swift": "Safe and idempotent methods, for behaviors, caching and screens.",
    "RequestSigners.swift": "A value that the retry and the token behavior share.",
]

@Suite(.serialized, .timeLimit(.minutes(5))) struct HouseTests {
    @Test func `the library consists of these rooms and ProductService`() throws {
        let entries = try FileManager.default.contentsOfDirectory(
            atPath: Repository.sources.path(percentEncoded: false)
        )

        let rooms = Set(directDependencies.keys)
        let top = [
            "ProductAccount.swift", "ProductBackend.swift", "ProductService.swift",
            "ProductService+InMemory.swift", "ProductService+ViewModels.swift",
            "PrivacyInfo.xcprivacy",
        ]
        #expect(Set(entries.filter { !$0.hasPrefix(".") }) == rooms.union(top))
    }

    @Test(arguments: directDependencies.keys.sorted())
    func `a room uses only the rooms that it depends on`(room: String) throws {
        let hidden = Set(directDependencies.keys)
            .subtracting(House.dependencies(of: room)).subtracting([room])
        let forbidden = try hidden.compactMap { try House.declaredNames.get()[$0] }
            .reduce(into: Set(["ProductBackend", "ProductService"])) { $0.formUnion($1) }
        let files = House.files(in: room)

        #expect(!files.isEmpty)
        for file in files {
            let used = try House.words(in: file).intersection(forbidden)
            #expect(used.isEmpty, "\(room)/\(file.lastPathComponent)")
        }
    }

    @Test func `a file has at most 400 lines of code`() throws {
        for file in House.allFiles() {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count <= 400, "\(Repository.path(of: file))")
        }
    }

    @Test func `a file of 30 lines or fewer has a reason`() throws {
        let files = Repository.files(in: "Sources", withExtensions: ["swift"])
        for file in files where smallFiles[file.lastPathComponent] == nil {
            let lines = try String(contentsOf: file, encoding: .utf8).count(where: \.isNewline)
            #expect(lines > 30, "\(Repository.path(of: file))")
        }

        #expect(smallFiles.count <= 10)
        #expect(Set(smallFiles.keys).isSubset(of: files.map(\.lastPathComponent)))
    }

    @Test func `a folder has at most 15 files`() {
        let files = ["Sources", "Tests"]
            .flatMap { Repository.files(in: $0, withExtensions: ["swift"]) }
        let folders = Dictionary(grouping: files) { $0.deletingLastPathComponent() }

        #expect(folders.count > 20)
        for (folder, files) in folders {
            #expect(files.count <= 15, "\(Repository.path(of: folder))")
        }
    }

    @Test func `the package has no dependencies`() throws {
        let manifest = Repository.root.appending(path: "Package.swift")

        #expect(try !String(contentsOf: manifest, encoding: .utf8).contains(".package("))
    }

    /// With such settings, a program that has the package from a repository does not build in Xcode.
    @Test func `the manifest does not set how warnings are treated`() throws {
        let manifest = Repository.root.appending(path: "Package.swift")

        #expect(try !String(contentsOf: manifest, encoding: .utf8).contains("treat"))
    }

    @Test func `packages enable the same language features as the library`() throws {
        let manifests = Repository.files(in: "Docs", withExtensions: ["swift"])
            .filter { $0.lastPathComponent == "Package.swift" }
        let features = /let features: \[SwiftSetting\] = \[[^\]]+\]/
        let library = try String(
            contentsOf: Repository.root.appending(path: "Package.swift"),
            encoding: .utf8
        )

        let others = try manifests.map { try String(contentsOf: $0, encoding: .utf8) }

        let expected = try #require(library.firstMatch(of: features)).output
        let lists = others.compactMap { $0.firstMatch(of: features)?.output }
        #expect(lists.count >= 4)
        #expect(lists.allSatisfy { $0 == expected })
    }

    @Test func `the library does not bypass the compiler's checks`() throws {
        let escapes: Set = ["fatalError", "unchecked", "unsafe", "assumeIsolated"]
        let exceptions = ["Locked.swift", "ImmediateQueue.swift"]
        for file in Repository.files(in: "Sources", withExtensions: ["swift"])
        where !exceptions.contains(file.lastPathComponent) {
            let used = try House.words(in: file).intersection(escapes)
            #expect(used.isEmpty, "\(file.lastPathComponent)")
        }
    }

    @Test func `shared state is in Locked values, which are never inlined`() throws {
        for file in Repository.files(in: "Sources", withExtensions: ["swift"])
        where file.lastPathComponent != "Locked.swift" {
            let used = try House.words(in: file).intersection(["Mutex", "inline"])
            #expect(used.isEmpty, "\(file.lastPathComponent)")
        }
        let locked = Repository.files(in: "Sources", withExtensions: ["swift"])
            .filter { $0.lastPathComponent == "Locked.swift" }
        let code = try House.code(in: #require(locked.first))
        #expect(code.contains("@inline(never) func withLock"))
    }

    @Test func `tests import the library normally, do not sleep, and declare no mock types`() throws
    {
        let conformance =
            /(?:struct|class|actor|enum|extension) [\w.]+(?:<[^>]*>)? *: [^{]*\b(?:Networking|RequestBehavior|Gettable|Creatable|Updatable|Deletable)\b/
        for file in House.testFiles() where !file.pathComponents.contains("Samples") {
            let (code, name) = (try House.code(in: file), file.lastPathComponent)
            #expect(!code.contains("@testable"), "\(name)")
            #expect(!code.contains(/Task\.(sleep|yield)|Thread\.sleep|usleep/), "\(name)")
            #expect(code.firstMatch(of: conformance) == nil, "\(name)")
        }
    }

    @Test func `every test suite is serialized and has a time limit`() throws {
        for file in House.testFiles() {
            let suites = try House.code(in: file).split(separator: "@Suite").dropFirst()
            for suite in suites {
                let traits = suite.prefix(80)
                #expect(traits.contains(".serialized, .timeLimit("), "\(file.lastPathComponent)")
            }
        }
    }

    @Test func `a time limit only ends what hangs`() throws {
        for file in House.allTestFiles() {
            for limit in try House.code(in: file).matches(of: /timeLimit\(\.minutes\((\d+)\)\)/) {
                #expect(Int(limit.1) ?? 0 >= 5, "\(Repository.path(of: file))")
            }
        }
    }

    @Test func `a test that compares times is marked, and runs only when times are measured`()
        throws
    {
        let test = /^( *)@Test[\s\S]*?^\1\}/.anchorsMatchLineEndings()
        let times =
            /(Continuous|Suspending)Clock|\bgrowth \{|clock_gettime|[uU]ptime|DispatchTime|Date\.now/
        var count = 0
        for file in House.allTestFiles() {
            let code = try House.code(in: file)
            guard code.contains(times) || code.contains(/\.tim(ed|ing)\b/) else { continue }
            for match in code.matches(of: test) {
                let isMarked = match.output.0.contains(".tags(.timing)")
                let place = "\(Repository.path(of: file)): \(match.output.0.prefix(120))"
                #expect(isMarked == match.output.0.contains(/\.timed\b/), "\(place)")
                #expect(isMarked || !match.output.0.contains(times), "\(place)")
                count += isMarked ? 1 : 0
            }
        }

        #expect(count > 15)
    }

    @Test func `continuous integration runs every step of the checks`() throws {
        let script = try String(
            contentsOf: Repository.root.appending(path: ".ci/run"),
            encoding: .utf8
        )
        let workflow = try String(
            contentsOf: Repository.root.appending(path: ".github/workflows/ci.yml"),
            encoding: .utf8
        )

        let further = try #require(script.firstMatch(of: /further=\(([^)]+)\)/)?.1)
        let steps = further.split(separator: " ").joined(separator: ", ")
        #expect(workflow.contains("step: [\(steps)]") && workflow.contains("run: bash .ci/run\n"))
    }
}

private enum House {
    /// The rooms that a room uses directly or through others.
    static func dependencies(of room: String) -> Set<String> {
        let direct = directDependencies[room] ?? []
        return direct.reduce(into: direct) { $0.formUnion(dependencies(of: $1)) }
    }

    static func files(in room: String) -> [URL] {
        Repository.files(in: "Sources/ProductKit/\(room)", withExtensions: ["swift"])
    }

    /// The Swift files of the library and of the packages below Docs.
    static func allFiles() -> [URL] {
        ["Sources", "Tests", "Docs"].flatMap { Repository.files(in: $0, withExtensions: ["swift"]) }
    }

    /// The test files of the library, except this one, which contains the words that it looks for.
    static func testFiles() -> [URL] {
        Repository.files(in: "Tests", withExtensions: ["swift"])
            .filter { $0.lastPathComponent != "HouseTests.swift" }
    }

    /// The test files of the library and of the packages below Docs, except samples.
    static func allTestFiles() -> [URL] {
        Repository.testFiles().filter { file in
            file.lastPathComponent != "HouseTests.swift" && !file.pathComponents.contains("Samples")
        }
    }

    /// The names of the types, functions and variables that the files of each room declare at the top
    /// level and that other files can see.
    ///
    /// Nested types are left out, because words such as `Entry` may mean something else elsewhere.
    static let declaredNames = Result {
        let declaration =
            /^(?:@\w+ )*(?:(?:public|package|final|indirect|nonisolated) )*(?:struct|class|enum|protocol|actor|typealias|func|let|var) (\w+)/
            .anchorsMatchLineEndings()
        return try Dictionary(
            uniqueKeysWithValues: directDependencies.keys.map { room in
                let names = try files(in: room)
                    .flatMap { try code(in: $0).matches(of: declaration).map { String($0.1) } }
                return (room, Set(names))
            }
        )
    }

    /// The text of a file without its comments.
    static func code(in file: URL) throws -> String {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            .map { line in
                guard let comment = line.range(of: "//") else { return line }
                return String(line[..<comment.lowerBound])
            }
            .joined(separator: "\n")
    }

    static func words(in file: URL) throws -> Set<String> {
        let words = try code(in: file)
            .split { !($0.isLetter || $0.isNumber || $0 == "_") }
        return Set(words.map(String.init))
    }
}
