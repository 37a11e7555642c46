import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Reads with a body, such as GraphQL queries. `reading(as:)` declares them with a header field that
// stays with the request through all behaviors. `NetworkClient` removes it before the networking.

extension NetworkRequest {
    /// Returns a request that is declared to be a read, although its method is not safe: a GraphQL
    /// query, or a search whose parameters are in the body.
    ///
    /// ```swift
    /// let request = NetworkRequest<Page<Product>>.post("graphql")
    ///     .json(["query": "{ products { id title } }"])
    ///     .inside("data.products")
    ///     .failing(at: "errors")
    ///     .reading(as: "products")
    /// ```
    ///
    /// The behaviors treat it like a `GET`: it is shared, retried, stored and served if the server
    /// fails, and ``fetching(_:)`` applies to it. It does not count as a write. Declare only
    /// requests that change nothing on the server and that may be sent twice.
    ///
    /// Two reads get the same response only if their method, URL, body, `Content-Type` and key are
    /// equal, and the fields that the `Vary` of the response names. If the client has an encoder of
    /// its own, let it sort the keys, so that equal values have equal bodies. An unsafe request to
    /// the same URL, such as a GraphQL mutation, invalidates the stored responses of all its reads.
    ///
    /// The server receives the request as it is without this method. A request with a safe method,
    /// such as `GET`, is returned unchanged.
    ///
    /// - Parameter key: A name for the read, such as that of the operation. Reads with different
    ///   keys never share a response. ``ResponseCache/contentsDescription()`` shows it, and a cache on
    ///   disk stores it with the body of the request, so neither may contain a secret.
    /// - Returns: A request that is declared to be a read.
    public func reading(as key: String? = nil) -> NetworkRequest {
        guard !URLRequest.safeMethods.contains(method) else { return self }
        let name = key?.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        return header(URLRequest.readField, name ?? "*")
    }
}

extension URLRequest {
    /// The name of the header field that declares a read.
    ///
    /// Its value is the key, or `*` for none.
    fileprivate static let readField = "ProductKit-Read"

    /// Whether the request is declared to be a read.
    ///
    /// A request with a body that can be read only once is not: its body cannot be compared.
    var isDeclaredRead: Bool { !hasSafeMethod && httpBodyStream == nil && declaredKey != nil }

    private var declaredKey: String? { value(forHTTPHeaderField: Self.readField) }

    /// The text that distinguishes a declared read from other requests to its URL; `nil` for a `GET`.
    ///
    /// It consists of the key, a number sign, and the method and the body in Base64. The body takes part
    /// also if there is a key, so that a wrong key cannot lead to the response of another query.
    var readIdentity: String? {
        guard method != "GET", isDeclaredRead, let declaredKey else { return nil }
        let description = ["Content-Type", "Content-Encoding"]
            .map { value(forHTTPHeaderField: $0) ?? "" }
        let head = ([method] + description).joined(separator: "\n") + "\n\n"
        return declaredKey + "#" + (Data(head.utf8) + (httpBody ?? Data())).base64EncodedString()
    }

    /// The request as the networking receives it: the server does not see the declaration.
    var withoutReadDeclaration: URLRequest {
        guard !hasSafeMethod, declaredKey != nil else { return self }
        var request = self
        request.setValue(nil, forHTTPHeaderField: Self.readField)
        return request
    }
}
