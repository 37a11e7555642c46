import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response without secrets.
struct RecordedResponse: Sendable {
    let statusCode: Int
    let headers: [JSONTree.Member]
    /// The URL of the response if it is not that of the request.
    let url: String?
    let body: RecordedBody?

    /// The header fields that are not recorded: those of a connection (RFC 9110 §7.6.1) and others.
    ///
    /// The body is recorded without its coding for the transfer. Without a `Date`, the response is
    /// as old in a replay as it was in the recording: its `Age`.
    private static let omittedNames: Set = [
        "connection", "content-encoding", "content-length", "date", "keep-alive",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Creates the parts of a response.
    init(_ response: NetworkResponse, to request: URLRequest, redaction: RecordingRedaction) {
        statusCode = response.statusCode
        headers = response.headers
            .filter { !Self.omittedNames.contains($0.lowercased()) }
            .compactMap { name, value in
                redaction.field(name, value).map { (name, JSONTree.string($0)) }
            }
            .sorted { $0.0.lowercased() < $1.0.lowercased() }
            .map { JSONTree.Member(name: $0.0, value: $0.1) }
        let isRedirected = response.url != nil && response.url != request.url
        url = isRedirected ? response.url.map { redaction.url($0.absoluteString) } : nil
        body = RecordedBody(
            response.body,
            mediaType: response.headers["Content-Type"],
            redaction: redaction
        )
    }

    /// Reads a response from a file; `nil` if the value is not one.
    init?(_ tree: JSONTree) {
        guard case .literal(let status) = tree["status"], let statusCode = Int(status),
            (100...599).contains(statusCode)
        else { return nil }
        self.statusCode = statusCode
        guard let headers = tree.recordedHeaders, let body = RecordedBody.optional(in: tree) else {
            return nil
        }
        self.headers = headers
        self.body = body
        url = tree["url"]?.string
    }

    /// The value for a file.
    var tree: JSONTree {
        var members = [JSONTree.Member(name: "status", value: .literal("\(statusCode)"))]
        if let url { members.append(JSONTree.Member(name: "url", value: .string(url))) }
        if !headers.isEmpty {
            members.append(JSONTree.Member(name: "headers", value: .object(headers)))
        }
        return .object(members + (body.map { [$0.member] } ?? []))
    }

    /// Returns the response to a request.
    func response(to request: URLRequest) -> NetworkResponse {
        NetworkResponse(
            statusCode: statusCode,
            headers: NetworkHeaders(
                headers.map { (name: $0.name, value: $0.value.string ?? "") }
            ),
            body: body?.data ?? Data(),
            url: url.flatMap { URL(string: $0) } ?? request.url
        )
    }
}
