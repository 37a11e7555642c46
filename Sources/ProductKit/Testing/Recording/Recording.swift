import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The exchanges of a test that is being recorded.
final class Recording: Sendable {
    private struct Entry {
        let exchange: RecordedExchange
        /// The request with the values whose names only may suggest a secret.
        let request: RecordedRequest
        let isRead: Bool
    }

    private let file: URL
    private let redaction: RecordingRedaction
    private let comparedNames: [String]
    /// The exchanges in the order in which their requests started; `nil` for one without an outcome.
    private let entries = Mutex<[Entry?]>([])

    /// Replaces the file by an empty recording.
    init(file: URL, comparedNames: Set<String>, redaction: RecordingRedaction) throws {
        self.file = file
        self.redaction = redaction
        self.comparedNames = comparedNames.sorted()
        try RecordingFile(comparedNames: self.comparedNames).write(to: file)
    }

    /// Reserves the place of an exchange.
    func begin() -> Int {
        entries.withLock { entries in
            entries.append(nil)
            return entries.count - 1
        }
    }

    /// Adds an exchange in its place, and writes the file.
    func end(
        _ index: Int,
        _ request: URLRequest,
        _ outcome: Result<NetworkResponse, RecordedFailure>
    ) throws(RecordingError) {
        func recorded(_ redaction: RecordingRedaction) -> RecordedRequest {
            RecordedRequest(request, comparing: comparedNames, redaction: redaction)
        }
        let exchange = RecordedExchange(
            request: recorded(redaction),
            outcome: outcome.map { response in
                RecordedResponse(response, to: request, redaction: redaction)
            }
        )
        let entry = Entry(
            exchange: exchange,
            request: recorded(redaction.keepingUncertain),
            isRead: request.hasSafeMethod || request.isDeclaredRead
        )
        // Writing within the lock keeps the files in order.
        try entries.withLock { entries throws(RecordingError) in
            for case let other? in entries where exchange.request.matches(other.exchange.request) {
                guard let difference = entry.request.differences(from: other.request).first else {
                    continue
                }
                throw RecordingError(.ambiguous, file: file, part: difference.part)
            }
            entries[index] = entry
            var contents = RecordingFile(comparedNames: comparedNames)
            contents.exchanges = Self.inStableOrder(entries.compactMap(\.self))
            try contents.write(to: file)
        }
    }

    /// Returns the error for a behavior that is not the innermost one.
    var misplaced: RecordingError { RecordingError(.misplaced, file: file) }

    /// Returns the exchanges in an order that does not depend on concurrency as far as possible.
    ///
    /// Consecutive reads are sorted by their URLs and their other parts, because an app often sends
    /// them at the same time. Equal requests and writes stay in their order.
    private static func inStableOrder(_ entries: [Entry]) -> [RecordedExchange] {
        var writeCount = 0
        let keyed = entries.enumerated().map { index, entry in
            defer { writeCount += entry.isRead ? 0 : 1 }
            let request = entry.exchange.request
            let (url, parts) = entry.isRead ? (request.url, request.tree.text) : ("", "")
            return (entry.exchange, key: (writeCount, entry.isRead ? 0 : 1, url, parts, index))
        }
        return keyed.sorted { $0.key < $1.key }.map(\.0)
    }
}
