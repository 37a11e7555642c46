public import Foundation

/// A request as the store received it, before anything is made of it.
public struct StoreRequest: Sendable {
    /// The method in capitals.
    public let method: String
    /// The path as it was sent, still percent-encoded: `/v1/products/gid%3A%2F%2Fshop%2F42`.
    public let path: String
    /// The query as it was sent, without its question mark; empty when there was none.
    public let query: String
    /// The header fields by lower-cased name.
    public let headers: [String: String]
    /// The body, up to the size that the store accepts.
    public let body: Data

    /// Whether the client sent more than the store accepts.
    let isTooLarge: Bool

    init(
        method: String,
        path: String,
        query: String,
        headers: [String: String],
        body: Data,
        isTooLarge: Bool
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.isTooLarge = isTooLarge
    }

    /// The value of a header field, whatever the case of its name.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: The value, or nothing when the field was not sent.
    public func header(_ name: String) -> String? {
        headers[name.lowercased()]
    }
}
