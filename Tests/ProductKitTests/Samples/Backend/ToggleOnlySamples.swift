import Foundation
import ProductKit
import Synchronization
import Testing

/// The code of “Toggle-only backends”.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ToggleOnlySamples {
    @Test func `a toggle is sent only if the status differs`() async throws {
        let shop = ToggleOnlyShop()
        let loader = ProductLoader(flipping: client(shop))

        let first = try await loader.setFavoriteStatus(true, forProductWithID: "pan")
        let second = try await loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(first?.isFavorite == true && second?.isFavorite == true)
        #expect(shop.keys.count == 1)
    }

    @Test func `a toggle with a lost response is retried with the same key`()
        async throws
    {
        let shop = ToggleOnlyShop(losesFirstResponse: true)
        let loader = ProductLoader(flipping: client(shop))

        let pan = try await loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(pan?.isFavorite == true)
        #expect(shop.keys.count == 2)
        #expect(Set(shop.keys).count == 1)
    }

    @Test func `a toggle is repeated if another device toggled at the same time`() async throws {
        let shop = ToggleOnlyShop(isToggledByAnotherDevice: true)
        let loader = ProductLoader(flipping: client(shop))

        #expect(
            try await loader.setFavoriteStatus(true, forProductWithID: "pan")?.isFavorite == true
        )
        #expect(Set(shop.keys).count == 2)
    }

    @MainActor @Test func `a screen can use the toggle of the backend directly`() async throws {
        let shop = ToggleOnlyShop()
        let client = client(shop)
        let actions = ProductViewModel.Actions(
            reload: { try await client.send(.get("products", "pan")) },
            toggleFavorite: { try await client.send(.post("products", "pan", "flip")) },
            addToList: { _ in throw UnsupportedOperation("addProduct") }
        )

        for isFavorite in [true, false] {
            let product = try await actions.toggleFavorite(true).confirmation ?? nil
            #expect(product?.isFavorite == isFavorite)
        }
    }

    private func client(_ shop: ToggleOnlyShop) -> NetworkClient {
        let api = URL.api
        let networking = shop.networking
        let effects = SystemEffects(sleep: { _ in })
        let client = NetworkClient(
            baseURL: api,
            networking: networking,
            behaviors: [IdempotencyKeyBehavior(), RetryBehavior(effects: effects)]
        )
        return client
    }
}

nonisolated extension ProductLoader {
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

/// A shop that can only toggle, and records the idempotency keys.
private final class ToggleOnlyShop: Sendable {
    private struct State {
        var isFavorite = false
        var keys: [String] = []
        var losesResponse: Bool
        var isToggledByAnotherDevice: Bool
    }

    private let state: Mutex<State>

    init(losesFirstResponse: Bool = false, isToggledByAnotherDevice: Bool = false) {
        state = Mutex(
            State(
                losesResponse: losesFirstResponse,
                isToggledByAnotherDevice: isToggledByAnotherDevice
            )
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
                if state.losesResponse {
                    state.losesResponse = false
                    throw NetworkError(.connectionLost)
                }
                if state.isToggledByAnotherDevice {
                    state.isToggledByAnotherDevice = false
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
