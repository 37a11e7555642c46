public import Foundation

/// What the store answers, or how it fails to.
public struct StoreResponse: Sendable {
    /// How the answer ends on the wire.
    enum Ending: Sendable, Hashable {
        case complete
        case cutOff(after: Int)
        case closed
    }

    /// The status code.
    public var status: Int
    /// The header fields by name.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    var ending = Ending.complete

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields by name.
    ///   - body: The body; empty when nothing is given.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes an answer with a text body, for faults and unusual backends.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: More header fields by name.
    ///   - text: The body.
    ///   - type: The body's media type.
    public init(
        status: Int,
        headers: [String: String] = [:],
        text: String,
        type: String = "application/json"
    ) {
        self.init(status: status, headers: headers, body: Data(text.utf8))
        self.headers["Content-Type"] = type
    }

    /// A failure in problem details, such as `.problem(503, headers: ["Retry-After": "1"])`.
    ///
    /// - Parameters:
    ///   - status: The status code, from which the title follows.
    ///   - detail: One sentence about this occurrence.
    ///   - headers: More header fields by name.
    /// - Returns: The answer.
    public static func problem(
        _ status: Int,
        detail: String? = nil,
        headers: [String: String] = [:]
    ) -> StoreResponse {
        Problem(status, detail: detail, headers: headers).response(to: nil)
    }

    /// No answer: the connection is closed without a byte.
    ///
    /// A client that had kept the connection from an earlier request may take this for one that
    /// had died before, and quietly send the request again.
    public static var connectionClosed: StoreResponse {
        var response = StoreResponse(status: 500)
        response.ending = .closed
        return response
    }

    /// The same answer, promised whole and cut off by closing the connection.
    ///
    /// - Parameter count: How many bytes of the body are sent.
    /// - Returns: The answer that breaks.
    public func cutOff(after count: Int) -> StoreResponse {
        var response = self
        response.ending = .cutOff(after: min(max(count, 0), body.count))
        return response
    }

    /// The same answer without its body, telling how long that would have been.
    func withoutBody() -> StoreResponse {
        guard headers["Content-Length"] == nil else { return self }
        var response = self
        response.headers["Content-Length"] = String(body.count)
        response.body = Data()
        return response
    }
}
