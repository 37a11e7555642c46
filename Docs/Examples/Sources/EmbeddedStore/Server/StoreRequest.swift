import FlyingFox
public import Foundation

/// A request as the store received it, without any interpretation.
public struct StoreRequest: Sendable {
    /// The method in capitals.
    public let method: String
    /// The path as sent, percent-encoded, such as `/v1/products/gid%3A%2F%2Fshop%2F42`.
    public let path: String
    /// The query as sent, without the “?”, empty if there was none.
    public let query: String
    /// The header fields by lowercase name.
    public let headers: [String: String]
    /// The body, up to the maximum size of the store.
    public let body: Data

    /// Whether the body exceeds the maximum size of the store.
    let isTooLarge: Bool

    /// Creates a request from the server's, and reads its body.
    ///
    /// A body that is too large is also read completely. Otherwise the server would parse the rest
    /// of it as the next request on the connection.
    init(_ incoming: HTTPRequest, limit: Int) async throws {
        var body = Data()
        var size = 0
        for try await chunk in incoming.bodySequence {
            size += chunk.count
            if size <= limit { body.append(chunk) }
        }
        let fields = incoming.headers.map { ($0.key.rawValue.lowercased(), $0.value) }
        method = incoming.method.rawValue
        path = incoming.target.path()
        query = incoming.target.query()
        headers = Dictionary(fields) { "\($0), \($1)" }
        self.body = body
        isTooLarge = size > limit
    }

    /// Whether the request changes the store.
    var isWrite: Bool { method != "GET" && method != "HEAD" }

    /// Returns the value of a header field.
    ///
    /// - Parameter name: The name of the field, in any case.
    /// - Returns: The value, or `nil` if the field is missing.
    public func header(_ name: String) -> String? {
        headers[name.lowercased()]
    }
}
