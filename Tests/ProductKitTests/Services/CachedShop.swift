import Foundation
import ProductKit

/// A product or list in the format of the shop.
struct CachedGood: Codable, Sendable {
    let id: Product.ID

    func product(pricedAt amount: String = "39.95") throws -> Product {
        Product(id: id, name: "Pan", prices: [try Price(amount, currency: "EUR")])
    }
}

/// A shop whose products consist of two responses, behind a cache in which they are fresh for 60
/// seconds.
struct CachedShop: Sendable {
    static let start = Date(timeIntervalSince1970: 1_000)

    /// The behaviors outside of the cache.
    var behaviors: [any RequestBehavior] = []
    private let cache = ResponseCache()
    @Observed var now = CachedShop.start
    @Observed var isDown = false
    @Observed var isMissing = false
    @Observed var attemptCount = 0
    /// The fields `X-Trace` of the requests that were successful.
    @Observed var traces: [String?] = []

    /// The number of requests that were successful.
    var requestCount: Int { traces.count }

    var client: NetworkClient {
        let caching = CachingBehavior(
            cache: cache,
            partition: { "user" },
            effects: SystemEffects(now: { now })
        )
        return NetworkClient(
            baseURL: URL(string: "https://shop.example") ?? .api,
            networking: .closure { request in try respond(to: request) },
            behaviors: behaviors + [caching]
        )
    }

    private func respond(to request: URLRequest) throws -> NetworkResponse {
        _attemptCount.next()
        guard !isDown else { throw NetworkError(.unreachable) }
        _traces.change { $0.append(request.value(forHTTPHeaderField: "X-Trace")) }
        return .json(
            #"{"id": "pan"}"#,
            statusCode: isMissing ? 404 : 200,
            headers: ["Cache-Control": "max-age=60"]
        )
    }

    /// Loads a part of a product.
    func good(_ id: Product.ID, in folder: String = "goods") async throws -> CachedGood {
        try await client.send(.get(folder, id))
    }

    var loader: ProductLoader {
        ProductLoader(
            load: { id in
                do {
                    let good = try await self.good(id)
                    _ = try await self.good(id, in: "prices")
                    return try good.product()
                } catch let error as NetworkError where error.code == .notFound {
                    throw ProductError.notFound(id)
                }
            },
            search: { _, _ in
                let good = try await client.send(NetworkRequest<CachedGood>.get("goods"))
                return Page([try good.product()])
            }
        )
    }

    var lines: ListLines {
        ListLines(
            read: { id in
                _ = try await client.send(NetworkRequest<CachedGood>.get("lists", id))
                let pan = ListLines.Line(id: "1", product: "pan")
                return ListLines.Contents(id: id, name: "Camp", lines: [pan])
            },
            add: { _, _ in },
            remove: { _, _ in }
        )
    }

    var lists: ListManager { ListManager(lines: lines) }
}
