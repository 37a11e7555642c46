import Foundation
import ProductKit
import Synchronization

/// A product or list in the format of the shop.
struct CachedGood: Codable, Sendable {
    let id: Product.ID

    func product(pricedAt amount: String) throws -> Product {
        Product(id: id, name: "Pan", prices: [try Price(amount, currency: "EUR")])
    }
}

/// A shop whose products consist of two responses, behind a cache in which they are fresh for 60
/// seconds.
final class CachedShop: Sendable {
    static let start = Date(timeIntervalSince1970: 1_000)

    private struct State {
        var now = start
        var isDown = false
        var isMissing = false
        var traces: [String?] = []
        var attempts = 0
    }

    private let state = Mutex(State())
    private let behaviors: [any RequestBehavior]

    init(behaviors: [any RequestBehavior] = []) {
        self.behaviors = behaviors
    }

    var isDown: Bool {
        get { state.withLock(\.isDown) }
        set { state.withLock { $0.isDown = newValue } }
    }

    var isMissing: Bool {
        get { state.withLock(\.isMissing) }
        set { state.withLock { $0.isMissing = newValue } }
    }

    var traces: [String?] { state.withLock(\.traces) }
    /// The number of requests that were successful.
    var requestCount: Int { traces.count }
    var attemptCount: Int { state.withLock(\.attempts) }

    func advance(by seconds: Double) {
        state.withLock { $0.now += seconds }
    }

    private let cache = ResponseCache()
    private let base = URL(string: "https://shop.example")

    var client: NetworkClient {
        let caching = CachingBehavior(
            cache: cache,
            partition: { "user" },
            effects: SystemEffects(now: { self.state.withLock(\.now) })
        )
        return NetworkClient(
            baseURL: base ?? URL(fileURLWithPath: "/"),
            networking: .closure { request in try self.respond(to: request) },
            behaviors: behaviors + [caching]
        )
    }

    private func respond(to request: URLRequest) throws -> NetworkResponse {
        let (isDown, isMissing) = state.withLock { state in
            state.attempts += 1
            if !state.isDown {
                state.traces.append(request.value(forHTTPHeaderField: "X-Trace"))
            }
            return (state.isDown, state.isMissing)
        }
        guard !isDown else { throw NetworkError(.unreachable) }
        let headers: NetworkHeaders = [
            "Cache-Control": "max-age=60", "Content-Type": "application/json",
        ]
        return NetworkResponse(
            statusCode: isMissing ? 404 : 200,
            headers: headers,
            body: Data(#"{"id": "pan"}"#.utf8)
        )
    }

    var loader: ProductLoader {
        let client = client
        return ProductLoader(
            load: { id in
                do {
                    let good = try await client.send(NetworkRequest<CachedGood>.get("goods", id))
                    _ = try await client.send(NetworkRequest<CachedGood>.get("prices", id))
                    return try good.product(pricedAt: "39.95")
                } catch let error as NetworkError where error.code == .notFound {
                    throw ProductError.notFound(id)
                }
            },
            search: { _, _ in
                let good = try await client.send(NetworkRequest<CachedGood>.get("goods"))
                return Page([try good.product(pricedAt: "39.95")])
            }
        )
    }

    var lines: ListLines {
        let client = client
        return ListLines(
            read: { id in
                _ = try await client.send(NetworkRequest<CachedGood>.get("lists", id))
                let pan = ListLines.Line(id: "1", product: "pan")
                return ListLines.Contents(id: id, name: "Camp", lines: [pan])
            },
            add: { _, _ in },
            remove: { _, _ in }
        )
    }

    var lists: ListManager {
        ListManager(addProduct: lines.add, removeProduct: lines.remove, list: lines.list)
    }
}
