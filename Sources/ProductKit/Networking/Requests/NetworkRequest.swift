public import Foundation

/// A typed request: the parts of an HTTP request, and how to decode its response.
///
/// ```swift
/// let product = try await client.send(NetworkRequest<Product>.get("products", id))
/// ```
///
/// Each segment of the path is percent-encoded separately: an identifier that contains `/`, `?` or `%` stays
/// one segment and cannot lead to another resource.
public struct NetworkRequest<Output: Sendable>: Sendable {
    package var parts: RequestParts
    /// Decodes the output from a response with a status code between 200 and 299, or from an expected failure.
    package var decode: @Sendable (NetworkResponse) throws -> Output

    /// The query items, not encoded.
    public var query: [URLQueryItem] {
        get { parts.query }
        set { parts.query = newValue }
    }

    /// Creates a request from its parts.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - segments: The segments of the path below the client's base URL, not encoded. The client encodes all
    ///     reserved characters (RFC 3986 §2.2), such as `/`, `@` and `;`.
    ///   - query: The query items, not encoded; items whose value is `nil` are omitted. Set the property
    ///     ``query`` to those that are built at run time.
    ///   - headers: The header fields.
    ///   - body: The body; add a `Content-Type` to the header fields.
    ///   - decode: Decodes the output from a response with a status code between 200 and 299.
    public init(
        method: String,
        segments: [String],
        query: KeyValuePairs<String, String?> = [:],
        headers: NetworkHeaders = [:],
        body: Data? = nil,
        decode: @escaping @Sendable (NetworkResponse) throws -> Output
    ) {
        parts = RequestParts(
            method: method,
            segments: segments,
            query: .init(namesAndValues: query),
            headers: headers,
            body: body.map(RequestBody.data)
        )
        self.decode = decode
    }

    /// Creates a request with the parts of another one, and with another output.
    init(_ parts: RequestParts, decode: @escaping @Sendable (NetworkResponse) throws -> Output) {
        (self.parts, self.decode) = (parts, decode)
    }

    func changing(_ change: (inout RequestParts) -> Void) -> NetworkRequest {
        var request = self
        change(&request.parts)
        return request
    }

    /// Replaces the decoding, so that all failures are thrown.
    func decoding(
        at path: MemberPath,
        _ decode: @escaping @Sendable (NetworkResponse) throws -> Output
    ) -> NetworkRequest {
        let request = changing { ($0.path, $0.expectedProblems) = (path, []) }
        return NetworkRequest(request.parts, decode: decode)
    }

    /// Returns the same request with a header field, or without it if the value is `nil`.
    public func header(_ name: String, _ value: String?) -> NetworkRequest {
        changing { $0.headers[name] = value }
    }

    /// Returns the same request with a further query item, or unchanged if the value is `nil`.
    ///
    /// ```swift
    /// let addition = NetworkRequest<Void>.post("wishlist", "items").queryItem("shop", "7")
    /// ```
    ///
    /// Pass the name and the value as they are, not encoded. Items with the same name are kept.
    public func queryItem(_ name: String, _ value: String?) -> NetworkRequest {
        guard let value else { return self }
        return changing { $0.query.append(URLQueryItem(name: name, value: value)) }
    }

    /// Returns the same request with a policy for caches.
    ///
    /// In a closure of a ``ProductLoader`` or a ``ListManager``, the policy of their method takes its place,
    /// unless that is ``FetchPolicy/standard``, or the request is ``independent``.
    public func fetching(_ policy: FetchPolicy) -> NetworkRequest {
        changing { $0.policy = policy }
    }

    /// The same request, which does not belong to the operation of the closure that sends it.
    ///
    /// Use it for what other requests need and what rarely changes, such as the region of the prices:
    ///
    /// ```swift
    /// let regions = NetworkRequest<[Region]>.get("regions")
    ///     .overridingCacheControl("private, max-age=86400")
    ///     .independent
    /// ```
    ///
    /// The request keeps its own policy: with ``FetchPolicy/standard``, a fresh response is served from the cache
    /// although the closure reloads a product. Its source does not count for that of the product. But
    /// ``FetchPolicy/cacheOnly`` and ``FetchPolicy/reload`` of a method apply to this request as well. Behaviors that
    /// ``ProductService/with(behaviors:)`` adds to that method do not. A request that writes is never independent.
    public var independent: NetworkRequest {
        changing { $0.isIndependent = true }
    }

    /// Returns the request as it is sent outside of an operation; `nil` if it belongs to it.
    func independent(of operation: ServiceOperation) -> NetworkRequest? {
        guard parts.isIndependent, parts.method.isSafeMethod || parts.readName != nil else {
            return nil
        }
        let policy = operation.policy ?? .standard
        return changing { parts in
            if [.cacheOnly, .reload].contains(policy) { parts.policy = policy }
            parts.isAfterFailure = operation.isAfterFailure
        }
    }

    /// Returns the same request, whose response is stored as if the server had sent another `Cache-Control`
    /// (RFC 9111 §5.2.2).
    ///
    /// Some servers forbid to store responses for a signed-in user, although the user's device may show them offline:
    ///
    /// ```swift
    /// let request = NetworkRequest<Page<Product>>.get("wishlist", key)
    ///     .overridingCacheControl("private, max-age=0")
    /// ```
    ///
    /// With `max-age=0`, the response is stored, requested again each time, and served if the server fails. Call it
    /// for each request of the URL: a response to one without it removes the stored one. It applies to successes, and
    /// to a 404 or 410 with an output of ``returning(_:forProblem:)``. Without a ``CachingBehavior``, nothing happens.
    public func overridingCacheControl(_ value: String) -> NetworkRequest {
        changing { $0.responseCacheControl = value }
    }

    /// Declares a request with an unsafe method to be a read: a GraphQL query, or a search with parameters in the body.
    ///
    /// ```swift
    /// let request = NetworkRequest<Page<Product>>.post("graphql")
    ///     .json(["query": "{ products { id title } }"])
    ///     .inside("data.products")
    ///     .failing(at: "errors")
    ///     .reading(as: "products")
    /// ```
    ///
    /// The behaviors treat it like a `GET`: it is shared, retried, stored and served if the server fails. It is not
    /// a write, and ``fetching(_:)`` applies to it. Declare only requests that change nothing and may be sent twice.
    ///
    /// Two reads get the same response only if their method, URL, body, `Content-Type`, name and the fields in the
    /// `Vary` of the response are equal. An unsafe request to the same URL, such as a GraphQL mutation, invalidates
    /// the stored responses of all its reads.
    ///
    /// Behaviors see the name in ``OutgoingRequest/readName``; the server receives an ordinary request. A request
    /// with a safe method, such as `GET`, is returned unchanged.
    ///
    /// - Parameter name: A name for the read, such as that of the operation. Reads with different
    ///   names never share a response. ``ResponseCache/contentsDescription()`` shows it, and a cache on
    ///   disk stores it with the body of the request, so neither may contain a secret.
    /// - Returns: A request that is declared to be a read.
    public func reading(as name: String = "") -> NetworkRequest {
        parts.method.isSafeMethod ? self : changing { $0.readName = name }
    }

    /// Returns the same request with another timeout.
    ///
    /// It limits the time from the start of each attempt until its response is complete, and takes effect if it
    /// is shorter than the deadline of the transport. The default is 60 seconds. Pass 1 millisecond to 10⁹
    /// seconds: one that is not positive is an error with code ``NetworkError/Code-swift.struct/invalidRequest``
    /// when the request is sent. The `deadline` of ``RetryBehavior`` limits all attempts and their delays
    /// together. A request that shares the response of an equal one in flight has the timeout of that one.
    public func timeout(_ duration: Duration) -> NetworkRequest {
        changing { $0.timeout = duration }
    }

    /// Returns the same request with another output.
    ///
    /// The closure creates it from the previous output and the response, for example from its header fields. If it
    /// throws a `DecodingError`, `send` throws a ``NetworkError`` with code
    /// ``NetworkError/Code-swift.struct/unreadable`` and the path of the member. Other errors are thrown unchanged.
    public func map<NewOutput>(
        _ transform: @escaping @Sendable (Output, NetworkResponse) throws -> NewOutput
    ) -> NetworkRequest<NewOutput> {
        NetworkRequest<NewOutput>(parts) { [decode, path = parts.path] response in
            let output = try decode(response)
            do {
                return try transform(output, response.rememberingValues)
            } catch let error as DecodingError {
                // Adds the path of the output to the path of the member in the error.
                return try path.reading { throw error }
            }
        }
    }

    /// Decodes the output, after the check for failures.
    func output(of response: NetworkResponse) throws -> Output {
        var response = response
        if response.expectedProblem == nil {
            do { try parts.failureCheck?.check(response) } catch {
                response.expectedProblem = try expectedProblem(in: error)
            }
        }
        do {
            return try decode(response)
        } catch let error as DecodingError {
            throw NetworkError(error, in: response)
        }
    }
}

extension NetworkRequest: CustomStringConvertible, RedactedInDumps {
    /// The method, the path, the query and header fields without secrets, and the size of the body.
    ///
    /// A JSON body has no size before it is sent.
    public var description: String {
        var components = URLComponents()
        components.queryItems = query.isEmpty ? nil : query
        let query = (components.percentEncodedQuery?.queryWithoutSecrets).map { "?\($0)" } ?? ""
        let path = parts.segments.joined(separator: "/") + query
        return "NetworkRequest(\(parts.method.httpTokenPrefix) \(path), \(parts.headers), "
            + "\(parts.body?.description ?? "0 bytes"))"
    }
}

extension NetworkRequest where Output: Decodable {
    /// Creates a `GET` request that decodes its output from JSON.
    ///
    /// The segments of its path and its query items are those of ``init(method:segments:query:headers:body:decode:)``.
    public static func get(
        _ segments: any LosslessStringConvertible...,
        query: KeyValuePairs<String, String?> = [:]
    ) -> NetworkRequest {
        var request = NetworkRequest("GET", segments)
        request.query = .init(namesAndValues: query)
        return request
    }

    /// Creates a `PUT` request that decodes its output from JSON; add a body with ``json(_:)``.
    public static func put(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        NetworkRequest("PUT", segments)
    }

    /// Creates a `POST` request that decodes its output from JSON; add a body with ``json(_:)``.
    public static func post(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        NetworkRequest("POST", segments)
    }

    /// Creates a `PATCH` request (RFC 5789) that decodes its output from JSON; add a body with ``json(_:)``.
    public static func patch(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        NetworkRequest("PATCH", segments)
    }

    /// Creates a `DELETE` request that decodes its output from JSON.
    public static func delete(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        NetworkRequest("DELETE", segments)
    }

    /// Creates a request with an output in JSON, for a path and a query that are built at run time.
    init(
        _ method: String,
        _ segments: [any LosslessStringConvertible],
        query: [String: String?] = [:]
    ) {
        self.init(
            method: method,
            segments: segments.map(\.description),
            headers: ["Accept": "application/json"]
        ) { try $0.json() }
        self.query = .init(namesAndValues: query.sorted { $0.key < $1.key })
    }
}

extension NetworkRequest where Output == Void {
    /// Creates a `PUT` request that ignores the response body; add a body with ``json(_:)``.
    ///
    /// A web page with a success status, such as that of a proxy, throws a ``NetworkError`` with
    /// code ``NetworkError/Code-swift.struct/unreadable``, as with the other methods.
    public static func put(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        NetworkRequest("PUT", segments)
    }

    /// Creates a `POST` request that ignores the response body, unless it is a web page; add a body with ``json(_:)``.
    public static func post(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        NetworkRequest("POST", segments)
    }

    /// Creates a `PATCH` request (RFC 5789) that ignores the response body, as `put` does; add a body with ``json(_:)``.
    public static func patch(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        NetworkRequest("PATCH", segments)
    }

    /// Creates a `DELETE` request that ignores the response body, unless it is a web page.
    public static func delete(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        NetworkRequest("DELETE", segments)
    }

    /// Creates a request without an output, for a path that is built at run time.
    init(_ method: String, _ segments: [any LosslessStringConvertible]) {
        self.init(
            method: method,
            segments: segments.map(\.description),
            headers: ["Accept": RequestParts.acceptOfFailures]
        ) { response in
            guard !response.isWebPage else { throw NetworkError(.unreadable, response: response) }
        }
    }
}
