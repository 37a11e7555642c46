import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A way of loading the product.
typealias Load = @Sendable () async throws -> Product

/// The load as a program without ProductKit would write it, over the system's `data(for:)`.
///
/// The settings are the same: no cookies, no cache, no credentials. On Linux that call can deadlock.
func leanLoad(from baseURL: URL) -> Load {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    let session = URLSession(configuration: configuration)
    return {
        var request = URLRequest(url: baseURL.appending(path: "products/walking-boots"))
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let (body, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return try JSONDecoder().decode(Product.self, from: body)
    }
}

extension ProductLoader {
    var loadsBoots: Load {
        { try await loadProduct(withID: "walking-boots") }
    }
}

/// Loads away from the main actor, so many times, so many at once.
@concurrent func send(
    _ count: Int,
    atOnce width: Int = 1,
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
