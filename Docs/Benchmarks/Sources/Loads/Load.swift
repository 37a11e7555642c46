import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Code that loads the sample product.
typealias Load = @Sendable () async throws -> Product

/// A load without ProductKit, written by hand with `data(for:)` of `URLSession`.
func handWrittenLoad(from baseURL: URL) -> Load {
    let load = bytesByHand(.get(at: baseURL))
    return { try await JSONDecoder().decode(Product.self, from: load()) }
}

/// A request without ProductKit, sent with `data(for:)` of `URLSession`.
///
/// The session has the settings of `URLSessionTransport`: no cookies, no cache, no credentials. On
/// Linux, cancelling `data(for:)` can deadlock.
func bytesByHand(_ request: URLRequest) -> @Sendable () async throws -> Data {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    let session = URLSession(configuration: configuration)
    return {
        let (body, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return body
    }
}

extension URLRequest {
    static func get(at baseURL: URL) -> URLRequest {
        var request = URLRequest(url: baseURL.appending(path: "products/walking-boots"))
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }

    static func put(at baseURL: URL) -> URLRequest {
        var request = URLRequest(url: baseURL.appending(path: "favorites/walking-boots"))
        request.httpMethod = "PUT"
        request.httpBody = Data(#"{"note":"\#(String(repeating: "-", count: 189))"}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return request
    }
}

extension ProductLoader {
    /// The load of the sample product with ProductKit.
    var loadBoots: Load {
        { try await loadProduct(withID: "walking-boots") }
    }
}

extension NetworkClient {
    /// The load of the bytes of the sample product, without decoding.
    var loadBytes: @Sendable () async throws -> Data {
        let request = NetworkRequest(
            method: "GET",
            segments: ["products", "walking-boots"],
            decode: \.body
        )
        return { try await send(request) }
    }
}

/// Performs a load repeatedly, away from the main actor.
///
/// - Parameters:
///   - count: The total number of loads.
///   - width: The number of concurrent loads.
///   - load: The load.
/// - Throws: The first error of a load.
@concurrent func perform(
    _ count: Int,
    concurrency width: Int = 1,
    _ load: @escaping @Sendable () async throws -> some Sendable
) async throws {
    try await withThrowingTaskGroup { group in
        for first in 0..<width {
            group.addTask {
                for _ in stride(from: first, to: count, by: width) { _ = try await load() }
            }
        }
        try await group.waitForAll()
    }
}
