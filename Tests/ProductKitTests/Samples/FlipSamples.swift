import Foundation
import ProductKit
import Synchronization
import Testing

/// The fences of “A backend that can only flip a favorite”.
@Suite(.timeLimit(.minutes(5))) struct FlipSamples {
    @Test func `a flip is sent only when the state differs`() async throws {
        let shop = FlippingShop()
        let loader = ProductLoader(flipping: client(shop))

        let first = try await loader.setFavoriteStatus(true, forProductWithID: "pan")
        let second = try await loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(first.isFavorite && second.isFavorite)
        #expect(shop.keys.count == 1)
    }

    @Test func `a flip whose answer was lost is repeated under the same key, and counts once`()
        async throws
    {
        let shop = FlippingShop(losesFirstAnswer: true)
        let loader = ProductLoader(flipping: client(shop))

        let pan = try await loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(pan.isFavorite)
        #expect(shop.keys.count == 2)
        #expect(Set(shop.keys).count == 1)
    }

    @Test func `a flip that met another one is sent again`() async throws {
        let shop = FlippingShop(isFlippedByAnother: true)
        let loader = ProductLoader(flipping: client(shop))

        #expect(try await loader.setFavoriteStatus(true, forProductWithID: "pan").isFavorite)
        #expect(Set(shop.keys).count == 2)
    }

    @MainActor @Test func `a screen may flip by itself`() async throws {
        let shop = FlippingShop()
        let client = client(shop)
        let actions = ProductViewModel.Actions(
            reload: { try await client.send(.get("products", "pan")) },
            toggleFavorite: { try await client.send(.post("products", "pan", "flip")) },
            addToList: { _ in throw UnsupportedOperation("addProduct") }
        )

        #expect(try await actions.toggleFavorite(true).isFavorite)
        #expect(try await !actions.toggleFavorite(true).isFavorite)
    }

    private func client(_ shop: FlippingShop) -> NetworkClient {
        let api = URL.api
        let networking = shop.networking
        let effects = BehaviorEffects(sleep: { _ in })
        let client = NetworkClient(
            baseURL: api,
            networking: networking,
            behaviors: [IdempotencyKeyBehavior(), RetryBehavior(effects: effects)]
        )
        return client
    }
}

extension ProductLoader {
    init(flipping client: NetworkClient) {
        self.init(
            load: { id in try await client.send(.get("products", id)) },
            setFavorite: { id, isFavorite in
                var product: Product = try await client.send(.get("products", id))
                for _ in 0..<3 where product.isFavorite != isFavorite {
                    product = try await client.send(.post("products", id, "flip"))
                }
                return product
            }
        )
    }
}

/// A shop that can only flip, and remembers the keys that it has seen.
private final class FlippingShop: Sendable {
    private struct State {
        var isFavorite = false
        var keys: [String] = []
        var losesAnswer: Bool
        var isFlippedByAnother: Bool
    }

    private let state: Mutex<State>

    init(losesFirstAnswer: Bool = false, isFlippedByAnother: Bool = false) {
        state = Mutex(
            State(losesAnswer: losesFirstAnswer, isFlippedByAnother: isFlippedByAnother)
        )
    }

    var keys: [String] { state.withLock(\.keys) }

    var networking: ClosureNetworking {
        .closure { request in
            let isFavorite = try self.state.withLock { state in
                guard request.httpMethod == "POST" else { return state.isFavorite }
                let key = request.value(forHTTPHeaderField: "Idempotency-Key") ?? ""
                if !state.keys.contains(key) { state.isFavorite.toggle() }
                state.keys.append(key)
                if state.losesAnswer {
                    state.losesAnswer = false
                    throw NetworkError(.connectionLost)
                }
                if state.isFlippedByAnother {
                    state.isFlippedByAnother = false
                    state.isFavorite.toggle()
                }
                return state.isFavorite
            }
            return try NetworkResponse(
                json: Product(id: "pan", name: "Iron Pan", isFavorite: isFavorite)
            )
        }
    }
}
