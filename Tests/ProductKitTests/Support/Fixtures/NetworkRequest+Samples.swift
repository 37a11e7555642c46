import Foundation
import ProductKit

extension NetworkRequest where Output == Product {
    /// A request that loads the boots.
    static var boots: NetworkRequest { .get("products", "walking-boots") }
}

extension URL {
    /// The base URL of the tests.
    static let api = URL(string: "https://api.example.com/v1") ?? URL(filePath: "/")
}

extension URLRequest {
    /// The method and the URL.
    var line: String { "\(httpMethod ?? "?") \(url?.absoluteString ?? "?")" }

    /// The body as text; empty if there is none.
    var text: String { String(decoding: httpBody ?? Data(), as: UTF8.self) }
}

extension OutgoingRequest {
    /// A `POST` to the GraphQL endpoint of the API, which is declared to be a read.
    static func query(_ body: String, as name: String = "") throws -> OutgoingRequest {
        try NetworkRequest<NetworkResponse>.query(body).reading(as: name).parts.outgoing(
            relativeTo: .api
        )
    }
}

extension NetworkRequest {
    /// The request that the networking of a client without behaviors receives.
    func urlRequest(relativeTo baseURL: URL, appendsSlash: Bool = false) throws -> URLRequest {
        try parts.outgoing(relativeTo: baseURL, appendsSlash: appendsSlash).urlRequest()
    }
}

extension NetworkRequest where Output == NetworkResponse {
    /// A `GET` that returns the response itself.
    static func get(
        _ segments: any LosslessStringConvertible...,
        query: KeyValuePairs<String, String?> = [:]
    ) -> NetworkRequest {
        NetworkRequest(method: "GET", segments: segments.map(\.description), query: query) { $0 }
    }

    /// A `POST` to the GraphQL endpoint of the API.
    static func query(_ body: String, method: String = "POST") -> NetworkRequest {
        NetworkRequest(
            method: method,
            segments: ["graphql"],
            headers: ["Content-Type": "application/json"],
            body: Data(body.utf8)
        ) { $0 }
    }
}
