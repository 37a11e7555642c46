import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
        guard let elements = tree["exchanges"]?.elements else { throw damage }
        comparedNames = tree["comparedHeaders"]?.elements?.compactMap(\.string) ?? []
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

/// The exchanges of a test that is being recorded.
final class Recording: Sendable {
    private let file: URL
    private let redaction: RecordingRedaction
    private let comparedNames: [String]
    /// The exchanges in the order in which their requests started; `nil` for one without an outcome.
    private let exchanges = Mutex<[RecordedExchange?]>([])

    /// Replaces the file by an empty recording.
    init(file: URL, comparedNames: Set<String>, redaction: RecordingRedaction) throws {
        self.file = file
        self.redaction = redaction
        self.comparedNames = comparedNames.sorted()
        try RecordingFile(comparedNames: self.comparedNames).write(to: file)
    }

    /// Reserves the place of an exchange.
    func begin() -> Int {
        exchanges.withLock { exchanges in
            exchanges.append(nil)
            return exchanges.count - 1
        }
    }

    /// Adds an exchange in its place, and writes the file.
    func end(
        _ index: Int,
        _ request: URLRequest,
        _ outcome: Result<NetworkResponse, RecordedFailure>
    ) throws(RecordingError) {
        let exchange = RecordedExchange(
            request: RecordedRequest(request, comparing: comparedNames, redaction: redaction),
            outcome: outcome.map { response in
                RecordedResponse(response, to: request, redaction: redaction)
            }
        )
        // Writing within the lock keeps the files in order.
        try exchanges.withLock { exchanges throws(RecordingError) in
            exchanges[index] = exchange
            var contents = RecordingFile(comparedNames: comparedNames)
            contents.exchanges = exchanges.compactMap(\.self).inStableOrder
            try contents.write(to: file)
        }
    }

    /// Returns the error for a behavior that is not the innermost one.
    var misplaced: RecordingError { RecordingError(.misplaced, file: file) }
}

extension [RecordedExchange] {
    /// The exchanges in an order that does not depend on concurrency as far as possible.
    ///
    /// Consecutive `GET` requests are sorted by their URLs, because an app often sends them at the
    /// same time. Equal requests and those with other methods stay in their order.
    fileprivate var inStableOrder: [RecordedExchange] {
        var writeCount = 0
        let keyed = enumerated().map { index, exchange in
            let isRead = exchange.request.method == "GET"
            defer { writeCount += isRead ? 0 : 1 }
            let url = isRead ? exchange.request.url : ""
            return (exchange: exchange, key: (writeCount, isRead ? 0 : 1, url, index))
        }
        return keyed.sorted { $0.key < $1.key }.map(\.exchange)
    }
}
