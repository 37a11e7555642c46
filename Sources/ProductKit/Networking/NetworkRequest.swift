public import Foundation

/// A request that knows what its answer means.
///
/// ```swift
/// let product = try await client.send(NetworkRequest<Product>.get("products", id))
/// ```
///
/// The path is given as segments. Each of them is escaped on its own, so an identifier that holds
/// `/`, `?` or `%` stays one segment and can lead nowhere else.
public struct NetworkRequest<Output: Sendable>: Sendable {
    /// The method, such as `GET` (RFC 9110 §9).
    package var method: String
    /// The segments of the path below the client's base URL, as they are: not escaped.
    package var segments: [String]
    /// The items of the query, as they are: not escaped.
    public var query: [URLQueryItem]
    /// Header fields of this request; they win over what behaviors add.
    package var headers: NetworkHeaders
    /// The body; `nil` for none.
    public var body: Data?
    /// Whether the answer may come from a cache; it counts where there is one.
    package var fetchPolicy = FetchPolicy.standard
    /// Reads a successful answer, one with a status between 200 and 299.
    package var decode: @Sendable (NetworkResponse) throws -> Output
    /// Throws the failure that a successful answer tells of.
    var check: @Sendable (NetworkResponse) throws -> Void = { _ in }
    /// Where in the answer the output stands, for errors about what is made of it.
    var path: MemberPath = []

    /// Creates a request from its parts.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - segments: The segments of the path below the client's base URL, not escaped.
    ///   - query: The items of the query, not escaped; an item without a value is left out.
    ///   - headers: Header fields.
    ///   - body: The body; set its `Content-Type` among the headers.
    ///   - decode: Reads a successful answer.
    public init(
        method: String,
        segments: [String],
        query: KeyValuePairs<String, String?> = [:],
        headers: NetworkHeaders = [:],
        body: Data? = nil,
        decode: @escaping @Sendable (NetworkResponse) throws -> Output
    ) {
        self.method = method
        self.segments = segments
        self.query = query.compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
        self.headers = headers
        self.body = body
        self.decode = decode
    }

    /// The same request with a body of JSON and its `Content-Type`.
    ///
    /// - Parameter value: What to write into the body.
    /// - Returns: A request that sends the value.
    /// - Throws: `EncodingError` when the value cannot be written as JSON.
    public func json(_ value: some Encodable) throws -> NetworkRequest {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var request = self
        request.body = try encoder.encode(value)
        request.headers["Content-Type"] = "application/json"
        return request
    }

    /// The same request with a header field set, or left out when the value is `nil`.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The value.
    /// - Returns: A request with that field.
    public func header(_ name: String, _ value: String?) -> NetworkRequest {
        var request = self
        request.headers[name] = value
        return request
    }

    /// The same request, answered by a cache or the network as a policy says.
    ///
    /// - Parameter policy: Who may answer.
    /// - Returns: A request with that policy.
    public func fetching(_ policy: FetchPolicy) -> NetworkRequest {
        var request = self
        request.fetchPolicy = policy
        return request
    }

    /// The same request whose answer means something else.
    ///
    /// - Parameter transform: Makes the new value from the old one and the answer, whose headers it
    ///   may want.
    /// - Returns: A request that brings the new value. A `DecodingError` of `transform` becomes a
    ///   ``NetworkError`` with code ``NetworkError/Code-swift.struct/unreadable`` that names the
    ///   member.
    public func map<NewOutput>(
        _ transform: @escaping @Sendable (Output, NetworkResponse) throws -> NewOutput
    ) -> NetworkRequest<NewOutput> {
        let (decode, path) = (decode, path)
        var request = NetworkRequest<NewOutput>(method: method, segments: segments) { response in
            let output = try decode(response)
            do {
                return try transform(output, response)
            } catch let error as DecodingError {
                return try path.reading { throw error }
            }
        }
        request.query = query
        request.headers = headers
        request.body = body
        request.check = check
        request.path = path
        request.fetchPolicy = fetchPolicy
        return request
    }

    /// Reads a successful answer, unless it tells of a failure.
    func read(_ response: NetworkResponse) throws -> Output {
        do {
            try check(response)
            return try decode(response)
        } catch let error as DecodingError {
            throw NetworkError(error, in: response)
        }
    }
}

extension NetworkRequest where Output: Decodable {
    /// A `GET` whose answer is JSON.
    public static func get(
        _ segments: any LosslessStringConvertible...,
        query: KeyValuePairs<String, String?> = [:]
    ) -> NetworkRequest {
        decoding("GET", segments, query: query)
    }

    /// A `PUT` whose answer is JSON; add a body with ``json(_:)``.
    public static func put(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        decoding("PUT", segments)
    }

    /// A `POST` whose answer is JSON; add a body with ``json(_:)``.
    public static func post(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        decoding("POST", segments)
    }

    /// A `PATCH` whose answer is JSON; add a body with ``json(_:)``.
    public static func patch(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        decoding("PATCH", segments)
    }

    /// A `DELETE` whose answer is JSON.
    public static func delete(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        decoding("DELETE", segments)
    }

    private static func decoding(
        _ method: String,
        _ segments: [any LosslessStringConvertible],
        query: KeyValuePairs<String, String?> = [:]
    ) -> NetworkRequest {
        NetworkRequest(
            method: method,
            segments: segments.map(\.description),
            query: query,
            headers: ["Accept": "application/json"]
        ) { response in
            try response.json()
        }
    }
}

extension NetworkRequest where Output == Void {
    /// A `PUT` whose answer is only that it succeeded; add a body with ``json(_:)``.
    public static func put(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        ignoring("PUT", segments)
    }

    /// A `POST` whose answer is only that it succeeded; add a body with ``json(_:)``.
    public static func post(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        ignoring("POST", segments)
    }

    /// A `PATCH` whose answer is only that it succeeded; add a body with ``json(_:)``.
    public static func patch(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        ignoring("PATCH", segments)
    }

    /// A `DELETE` whose answer is only that it succeeded.
    public static func delete(_ segments: any LosslessStringConvertible...) -> NetworkRequest {
        ignoring("DELETE", segments)
    }

    private static func ignoring(
        _ method: String,
        _ segments: [any LosslessStringConvertible]
    ) -> NetworkRequest {
        NetworkRequest(method: method, segments: segments.map(\.description)) { _ in }
    }
}

extension NetworkRequest where Output == NetworkResponse {
    /// A `GET` that brings the answer as it came: status, headers and bytes.
    package static func get(
        _ segments: any LosslessStringConvertible...,
        query: KeyValuePairs<String, String?> = [:]
    ) -> NetworkRequest {
        NetworkRequest(method: "GET", segments: segments.map(\.description), query: query) { $0 }
    }
}
