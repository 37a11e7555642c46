import Foundation

/// A file with exchanges in JSON: the names of the compared header fields, and the exchanges.
///
/// One file contains the exchanges of one test. So a recording is reviewed as one file beside its
/// test, and recording again replaces all of it.
struct RecordingFile: Sendable {
    /// The version of the format that this library writes, and the newest one that it reads.
    private static let version = 1
    /// The nesting around the body of a message in a file.
    private static let nesting = 4

    var comparedNames: [String]
    var exchanges: [RecordedExchange] = []

    /// Reads a file.
    ///
    /// - Throws: ``RecordingError`` if it is missing, damaged or of a newer version.
    init(contentsOf file: URL, redaction: RecordingRedaction) throws(RecordingError) {
        guard let data = try? Data(contentsOf: file) else {
            throw RecordingError(.missing, file: file)
        }
        let damage = RecordingError(.damaged, file: file)
        let depth = JSONNesting.maximumDepth + Self.nesting
        guard let tree = JSONTree(data, maximumDepth: depth),
            case .literal(let text) = tree["version"], let version = Int(text), version > 0
        else { throw damage }
        guard version <= Self.version else { throw RecordingError(.newerVersion, file: file) }
        guard let elements = tree["exchanges"]?.elements,
            let names = tree["comparedHeaders"]?.elements
        else { throw damage }
        comparedNames = names.compactMap(\.string)
        guard comparedNames.count == names.count else { throw damage }
        for element in elements {
            guard let exchange = RecordedExchange(element, redaction: redaction) else {
                throw damage
            }
            exchanges.append(exchange)
        }
    }

    /// Creates the contents of a new file.
    init(comparedNames: [String]) {
        self.comparedNames = comparedNames
    }

    /// Replaces a file atomically, and creates its folder if needed.
    func write(to file: URL) throws(RecordingError) {
        let names = comparedNames.map(JSONTree.string)
        let tree = JSONTree.object([
            JSONTree.Member(name: "version", value: .literal("\(Self.version)")),
            JSONTree.Member(name: "comparedHeaders", value: .array(names)),
            JSONTree.Member(name: "exchanges", value: .array(exchanges.map(\.tree))),
        ])
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("\(tree.lines())\n".utf8).write(to: file, options: .atomic)
        } catch {
            throw RecordingError(.notWritable, file: file)
        }
    }
}
