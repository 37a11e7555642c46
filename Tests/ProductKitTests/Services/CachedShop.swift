import Foundation
import ProductKit
import Synchronization

/// A product or list in the format of the shop.
struct CachedGood: Codable, Sendable {
    let id: Product.ID

    func product(pricedAt amount: String = "39.95") throws -> Product {
        Product(id: id, name: "Pan", prices: [try Price(amount, currency: "EUR")])
    }
}

/// A shop whose products consist of two responses, behind a cache in which they are fresh for 60
/// seconds.
@dynamicMemberLookup final class CachedShop: Sendable {
    static let start = Date(timeIntervalSince1970: 1_000)

    struct State {
        var now = start
        var isDown = false
        var isMissing = false
        var attemptCount = 0
        /// The fields `X-Trace` of the requests that were successful.
        var traces: [String?] = []
    }

    private let state = Mutex(State())
    private let cache = ResponseCache()
    private let behaviors: [any RequestBehavior]

    init(behaviors: [any RequestBehavior] = []) {
        self.behaviors = behaviors
    }

    subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<State, Value>) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    /// The number of requests that were successful.
    var requestCount: Int { self.traces.count }

    var client: NetworkClient {
        let caching = CachingBehavior(
            cache: cache,
            partition: { "user" },
            effects: SystemEffects(now: { self.now })
        )
        return NetworkClient(
            baseURL: URL(string: "https://shop.example") ?? .api,
            networking: .closure { request in try self.respond(to: request) },
            behaviors: behaviors + [caching]
        )
    }

    private func respond(to request: URLRequest) throws -> NetworkResponse {
        try state.withLock { state in
            state.attemptCount += 1
            guard !state.isDown else { throw NetworkError(.unreachable) }
            state.traces.append(request.value(forHTTPHeaderField: "X-Trace"))
            return .json(
                #"{"id": "pan"}"#,
                statusCode: state.isMissing ? 404 : 200,
                headers: ["Cache-Control": "max-age=60"]
            )
        }
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
                let good = try await self.client.send(NetworkRequest<CachedGood>.get("goods"))
                return Page([try good.product()])
            }
        )
    }

    var lines: ListLines {
        ListLines(
            read: { id in
                _ = try await self.client.send(NetworkRequest<CachedGood>.get("lists", id))
                let pan = ListLines.Line(id: "1", product: "pan")
                return ListLines.Contents(id: id, name: "Camp", lines: [pan])
            },
            add: { _, _ in },
            remove: { _, _ in }
        )
    }

    var lists: ListManager { ListManager(lines: lines) }
}
