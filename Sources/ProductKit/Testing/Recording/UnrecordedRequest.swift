public import Foundation

/// The error of a request that a ``RecordedNetworking`` cannot find in its recording.
///
/// The request was not sent, and is not sent again by ``RequestBehavior`` types of the library.
public struct UnrecordedRequest: LocalizedError, RequestOutcomeError, Hashable {
    /// The method and the URL of the request, without secrets.
    public let request: String
    /// The method and the URL of the recorded request that is most similar, without secrets; `nil`
    /// if the recording is empty.
    public let nearest: String?
    /// The parts in which the request differs from the nearest one; empty if they are equal and
    /// all recorded responses were used.
    public let differences: [String]
    /// The file of the recording.
    public let file: URL

    /// The request, the nearest recorded one with up to five differences, and what to do.
    public var errorDescription: String? {
        let name = file.lastPathComponent
        guard let nearest else {
            return "“\(request)” is not in the recording “\(name)”, which is empty. Record again."
        }
        guard !differences.isEmpty else {
            return "“\(request)” was sent more often than it is in the recording “\(name)”. If "
                + "this is intended, record again."
        }
        let more = differences.count - 5
        let texts = differences.prefix(5) + (more > 0 ? ["\(more) more"] : [])
        return "“\(request)” is not in the recording “\(name)”. The nearest recorded request is "
            + "“\(nearest)”. Differences: \(texts.joined(separator: "; ")). If this is intended, "
            + "record again."
    }

    /// `false`, because no request was sent.
    public var mayHaveReachedServer: Bool { false }
}
