public import Foundation

/// A response of the store, complete or broken on purpose.
public struct StoreResponse: Sendable {
    /// The end of the response on the connection.
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

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields by name.
    ///   - body: The body, empty by default.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response with a text body.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The other header fields by name.
    ///   - text: The body.
    ///   - type: The media type of the body.
    public init(
        status: Int,
        headers: [String: String] = [:],
        text: String,
        type: String = "application/json"
    ) {
        self.init(status: status, headers: headers, body: Data(text.utf8))
        self.headers["Content-Type"] = type
    }

    /// Creates a response with problem details (RFC 9457).
    ///
    ///     .problem(503, headers: ["Retry-After": "1"])
    ///
    /// - Parameters:
    ///   - status: The status code, which determines the title.
    ///   - detail: A sentence about this failure.
    ///   - headers: The other header fields by name.
    /// - Returns: The response.
    public static func problem(
        _ status: Int,
        detail: String? = nil,
        headers: [String: String] = [:]
    ) -> StoreResponse {
        Problem(status, detail: detail, headers: headers).response(to: nil)
    }

    /// No response: the connection is closed before the first byte.
    ///
    /// On a reused connection, a client may assume that the server closed it before the request
    /// arrived, and send the request again.
    public static var connectionClosed: StoreResponse {
        var response = StoreResponse(status: 500)
        response.ending = .closed
        return response
    }

    /// Returns the same response, cut off by closing the connection.
    ///
    /// Its `Content-Length` is that of the complete body.
    ///
    /// - Parameter count: The number of bytes of the body to send.
    /// - Returns: The broken response.
    public func cutOff(after count: Int) -> StoreResponse {
        var response = self
        response.ending = .cutOff(after: min(max(count, 0), body.count))
        return response
    }

    /// Returns the same response without its body, with the `Content-Length` of the body.
    func withoutBody() -> StoreResponse {
        guard headers["Content-Length"] == nil else { return self }
        var response = self
        response.headers["Content-Length"] = String(body.count)
        response.body = Data()
        return response
    }
}
