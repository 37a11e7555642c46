import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request and its response, or the failure of the transport, without secrets.
struct RecordedExchange: Sendable {
    let request: RecordedRequest
    let outcome: Result<RecordedResponse, RecordedFailure>

    init(request: RecordedRequest, outcome: Result<RecordedResponse, RecordedFailure>) {
        self.request = request
        self.outcome = outcome
    }

    /// Reads an exchange from a file; `nil` if the value is not one.
    init?(_ tree: JSONTree, redaction: RecordingRedaction) {
        guard let request = tree["request"].flatMap({ RecordedRequest($0, redaction: redaction) })
        else { return nil }
        self.request = request
        if let response = tree["response"].flatMap(RecordedResponse.init) {
            outcome = .success(response)
        } else if let failure = tree["failure"]?.string.flatMap(RecordedFailure.init) {
            outcome = .failure(failure)
        } else {
            return nil
        }
    }

    /// The value for a file.
    var tree: JSONTree {
        let result =
            switch outcome {
            case .success(let response): JSONTree.Member(name: "response", value: response.tree)
            case .failure(let failure):
                JSONTree.Member(name: "failure", value: .string(failure.code.rawValue))
            }
        return .object([JSONTree.Member(name: "request", value: request.tree), result])
    }
}

/// A failure of the transport that a replay can repeat.
struct RecordedFailure: Error {
    let code: NetworkError.Code

    /// The codes of requests that were sent, or for which no connection could be made.
    private static let codes: [NetworkError.Code] = [
        .unreachable, .connectionLost, .incomplete, .timedOut, .untrusted, .insecure, .redirect,
        .tooLarge, .unreadable,
    ]

    /// Finds the failure with the name of a code; `nil` if there is none.
    init?(_ name: String) {
        guard let code = Self.codes.first(where: { $0.rawValue == name }) else { return nil }
        self.code = code
    }

    /// Creates the failure for an error of the transport; `nil` for other errors.
    init?(_ error: any Error) {
        let code = (error as? NetworkError)?.code
        guard let code = code ?? error.urlError.map({ NetworkError.Code($0.code) }) else {
            return nil
        }
        self.init(code.rawValue)
    }
}

/// A response without secrets.
struct RecordedResponse: Sendable {
    let statusCode: Int
    let headers: [JSONTree.Member]
    /// The URL of the response if it is not that of the request.
    let url: String?
    let body: RecordedBody?

    /// The header fields that are not recorded.
    ///
    /// The body is recorded without its coding for the transfer. Without a `Date`, the response is
    /// as old in a replay as it was in the recording: its `Age`.
    private static let omittedNames: Set = [
        "connection", "content-encoding", "content-length", "date", "keep-alive",
        "transfer-encoding",
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
        headers = tree["headers"]?.members ?? []
        url = tree["url"]?.string
        body = RecordedBody(tree)
        let isDamaged = body.map { $0.data == nil } ?? false
        if isDamaged || headers.contains(where: { $0.value.string == nil }) { return nil }
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
