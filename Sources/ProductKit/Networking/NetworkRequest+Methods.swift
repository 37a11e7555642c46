/// A part of a path: a text, an identifier, a number.
public typealias PathSegment = LosslessStringConvertible & Sendable

extension NetworkRequest where Output: Decodable {
    /// A `GET` whose answer is JSON.
    public static func get(
        _ segments: any PathSegment...,
        query: KeyValuePairs<String, String?> = [:]
    ) -> NetworkRequest {
        decoding("GET", segments, query: query)
    }

    /// A `PUT` whose answer is JSON; add a body with ``json(_:)``.
    public static func put(_ segments: any PathSegment...) -> NetworkRequest {
        decoding("PUT", segments)
    }

    /// A `POST` whose answer is JSON; add a body with ``json(_:)``.
    public static func post(_ segments: any PathSegment...) -> NetworkRequest {
        decoding("POST", segments)
    }

    /// A `PATCH` whose answer is JSON; add a body with ``json(_:)``.
    public static func patch(_ segments: any PathSegment...) -> NetworkRequest {
        decoding("PATCH", segments)
    }

    /// A `DELETE` whose answer is JSON.
    public static func delete(_ segments: any PathSegment...) -> NetworkRequest {
        decoding("DELETE", segments)
    }

    private static func decoding(
        _ method: String,
        _ segments: [any PathSegment],
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
    public static func put(_ segments: any PathSegment...) -> NetworkRequest {
        ignoring("PUT", segments)
    }

    /// A `POST` whose answer is only that it succeeded; add a body with ``json(_:)``.
    public static func post(_ segments: any PathSegment...) -> NetworkRequest {
        ignoring("POST", segments)
    }

    /// A `PATCH` whose answer is only that it succeeded; add a body with ``json(_:)``.
    public static func patch(_ segments: any PathSegment...) -> NetworkRequest {
        ignoring("PATCH", segments)
    }

    /// A `DELETE` whose answer is only that it succeeded.
    public static func delete(_ segments: any PathSegment...) -> NetworkRequest {
        ignoring("DELETE", segments)
    }

    private static func ignoring(
        _ method: String,
        _ segments: [any PathSegment]
    ) -> NetworkRequest {
        NetworkRequest(method: method, segments: segments.map(\.description)) { _ in }
    }
}

extension NetworkRequest where Output == NetworkResponse {
    /// A `GET` that brings the answer as it came: status, headers and bytes.
    public static func get(
        _ segments: any PathSegment...,
        query: KeyValuePairs<String, String?> = [:]
    ) -> NetworkRequest {
        NetworkRequest(method: "GET", segments: segments.map(\.description), query: query) { $0 }
    }
}
