import Foundation
import ProductKit
import Testing

/// Toggles that the server confirms without returning the product.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ConfirmedToggleTests {
    // Rule: screen/confirmed-toggle-keeps-status (59)
    @Test(arguments: [false, true])
    func `a confirmed toggle keeps its status if the product cannot be loaded afterwards`(
        isFavorite: Bool
    ) async throws {
        let screen = service { throw NetworkError(.unreachable) }
            .viewModel(for: .boots(named: "Shown", isFavorite: isFavorite))

        try await screen.toggleProductFavoriteStatus()

        #expect(screen.isFavorite == !isFavorite && screen.title == "Shown")
        #expect(screen.lastError == nil && screen.phase == .idle)
    }

    // Rule: screen/confirmed-toggle-keeps-status (59)
    @Test(arguments: [
        Product(id: "hat", name: "Hat"): "Walking Boots",
        .boots(named: "New", isFavorite: true): "New",
    ])
    func `the product that is loaded after a confirmation is shown unless it is another one`(
        loaded: Product,
        title: String
    ) async throws {
        let screen = service { try NetworkResponse(json: loaded) }.viewModel(for: .boots)

        try await screen.toggleProductFavoriteStatus()

        #expect(screen.isFavorite && screen.title == title && screen.lastError == nil)
    }

    // Rule: screen/confirmed-toggle-keeps-status (59); screen/status-is-always-consistent (38)
    @Test func `the opposite toggle behind a confirmed one is sent`() async throws {
        let gate = ActionGate<Void>()
        let methods = Lines()
        let screen = service(methods) {
            try await gate.hold()
            return NetworkResponse(statusCode: 503)
        }.viewModel(for: .boots)
        let first = await started { try await screen.toggleProductFavoriteStatus() }
        await gate.waitForCalls(1)
        let second = await started { try await screen.toggleProductFavoriteStatus() }
        #expect(methods.all == ["PUT"])

        gate.open()
        try await first.value
        try await second.value

        #expect(!screen.isFavorite && methods.all == ["PUT", "DELETE"] && screen.lastError == nil)
    }

    // Rule: screen/confirmed-toggle-keeps-status (59); screen/response-after-cancellation-counts (46)
    @Test func `a toggle is confirmed if it is cancelled while the product is loaded`() async throws
    {
        let gate = ActionGate<Void>()
        let screen = service {
            try await gate.hold()
            return NetworkResponse(statusCode: 204)
        }.viewModel(for: .boots)
        let toggle = await started { try await screen.toggleProductFavoriteStatus() }
        await gate.waitForCalls(1)

        toggle.cancel()
        try await toggle.value

        #expect(screen.isFavorite && screen.lastError == nil)
    }

    // Rule: screen/confirmed-toggle-keeps-status (59); screen/earlier-reload-keeps-status (35)
    @Test func `an action without a product confirms the toggle and keeps the content`()
        async throws
    {
        let held = ActionGate<Product>(ignoresCancellation: true)
        let screen = ProductViewModel(
            .only(reload: { try await held.hold() }, toggleFavorite: { (_: Bool) in nil })
        )
        let status = Watcher { screen.isFavorite }
        let reload = await started { try await screen.reload() }

        try await screen.toggleProductFavoriteStatus()
        try held.release(returning: .boots(named: "New"))
        try await reload.value

        #expect(screen.isFavorite && screen.title == "New" && status.changes == 1)
    }

    // Rule: screen/confirmed-toggle-keeps-status (59); screen/reset-drops-responses (48)
    @Test func `a confirmation after a reset is dropped`() async throws {
        let held = ActionGate<Void>(ignoresCancellation: true)
        let store = ProductStore()
        let screen = ProductViewModel(
            .only(toggleFavorite: { (_: Bool) in
                try await held.hold()
                return nil
            }),
            store: store
        )
        let toggle = await started { try await screen.toggleProductFavoriteStatus() }

        store.reset()
        try held.release()

        await #expect(throws: CancellationError.self) { try await toggle.value }
        #expect(!screen.isFavorite)
    }

    /// A service whose server confirms all edits without a product, which is loaded afterwards.
    private func service(
        _ methods: Lines = Lines(),
        load: @escaping @Sendable () async throws -> NetworkResponse
    ) -> ProductService {
        let networking: any Networking = .closure { request in
            guard request.httpMethod != "GET" else { return try await load() }
            methods.add(request.httpMethod ?? "?")
            return NetworkResponse(statusCode: 204)
        }
        return .contract(client: NetworkClient(baseURL: .api, networking: networking))
    }
}
