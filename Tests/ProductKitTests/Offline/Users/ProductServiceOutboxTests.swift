import Foundation
import ProductKit
import Synchronization
import Testing

@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductServiceOutboxTests {
    private static let boots = Product(id: "boots", name: "Boots")

    // Rule: outbox/service-writes-use-outbox (59)
    @Test func `a tap made offline is shown after a restart, and sent when the server responds`()
        async throws
    {
        let (storage, shop) = (OutboxStorage.inMemory(), FavoriteShop())
        shop.isReachable = false
        do {
            let service = service(shop, storage: storage)
            let screen = service.viewModel(for: Self.boots)
            try await screen.toggleProductFavoriteStatus()
            #expect(screen.isFavorite && screen.isFavoriteUnsent && screen.lastError == nil)
            await service.outbox?.stop()
        }

        let restarted = service(shop, storage: storage)
        let screen = restarted.viewModel(for: Self.boots)
        try await restarted.outbox?.open()
        #expect(screen.isFavorite && screen.isFavoriteUnsent)
        // The attempt of the start must not end after the shop is reachable.
        #expect(try await restarted.outbox?.sendAll() == 1)
        shop.isReachable = true
        let waiting = try await restarted.outbox?.sendAll()

        #expect(waiting == 0)
        #expect(screen.isFavorite && !screen.isFavoriteUnsent)
        #expect(shop.favorites == ["boots"])
        let keys = Set(shop.keys)
        #expect(keys.count == 1 && keys.first?.count == 49)
    }

    // Rule: outbox/no-user-sends-for-another (63)
    @Test func `the changes of a user are not sent with the token of another one`() async throws {
        let (shop, events) = (FavoriteShop(), Lines())
        let token = Mutex(AccessToken("t1", user: "ben"))
        let service = ProductService.contract(
            user: .signedIn("anna") { token.withLock { $0 } },
            networking: shop.networking,
            outbox: .controlled(report: { events.add($0.summary) }),
            retry: RetryBehavior(attempts: 1)
        )
        let outbox = try #require(service.outbox)
        let screen = service.viewModel(for: Self.boots)

        try await screen.toggleProductFavoriteStatus()
        try await outbox.sendAll()
        #expect(shop.favorites.isEmpty)
        #expect(outbox.changes.count == 1)

        token.withLock { $0 = AccessToken("t2", user: "anna") }
        try await outbox.sendAll()
        #expect(shop.favorites == ["boots"])
    }

    // Rule: outbox/sign-out-removes-changes (57)
    @Test func `signing out removes the unsent changes, on the screens and on disk`() async throws {
        let (storage, shop) = (OutboxStorage.inMemory(), FavoriteShop())
        shop.isReachable = false
        let service = service(shop, storage: storage)
        let screen = service.viewModel(for: Self.boots)
        try await screen.toggleProductFavoriteStatus()

        await service.signOut()

        #expect(!screen.isFavorite && !screen.isFavoriteUnsent)
        shop.isReachable = true
        let next = self.service(shop, storage: storage)
        let waiting = try await next.outbox?.sendAll()
        #expect(waiting == 0)
        #expect(shop.favorites.isEmpty)
    }

    // Rule: outbox/sign-out-can-keep-changes (58)
    @Test func `signing out can leave the unsent changes for the next sign-in`() async throws {
        let (storage, shop) = (OutboxStorage.inMemory(), FavoriteShop())
        shop.isReachable = false
        let service = service(shop, storage: storage)
        let screen = service.viewModel(for: Self.boots)
        try await screen.toggleProductFavoriteStatus()

        await service.signOut(keepsUnsentChanges: true)

        #expect(!screen.isFavorite && !screen.isFavoriteUnsent)
        shop.isReachable = true
        let next = self.service(shop, storage: storage)
        try await next.outbox?.sendAll()
        #expect(shop.favorites == ["boots"])
    }

    // Rule: outbox/service-writes-use-outbox (59)
    @Test func `a service with any loader and list manager has the same outbox`() async throws {
        let sent = Lines()
        let service = ProductService(
            loader: .only(setFavorite: { id, status in
                sent.add("\(id) \(status)")
                return nil
            }),
            listManager: .only(addProduct: { sent.add("\($0) to \($1)") }),
            localUser: .shopper,
            user: .signedIn("anna"),
            outbox: .controlled()
        )
        let screen = service.viewModel(for: Self.boots)

        try await screen.toggleProductFavoriteStatus()
        try await screen.addProductToList(withID: "winter")
        try await service.outbox?.sendAll()

        #expect(Set(sent.all) == ["boots true", "boots to winter"])
        #expect(screen.isFavorite && !screen.isFavoriteUnsent)
    }

    private func service(_ shop: FavoriteShop, storage: OutboxStorage) -> ProductService {
        .contract(
            user: .signedIn("anna") { "token" },
            networking: shop.networking,
            outbox: .controlled(storage: storage),
            retry: RetryBehavior(attempts: 1)
        )
    }
}

/// A shop that records its favorites and the keys of its requests, and may be unreachable.
private final class FavoriteShop: Sendable {
    private struct State {
        var isReachable = true
        var favorites: Set<String> = []
        var keys: [String] = []
    }

    private let state = Mutex(State())

    var isReachable: Bool {
        get { state.withLock(\.isReachable) }
        set { state.withLock { $0.isReachable = newValue } }
    }

    var favorites: Set<String> { state.withLock(\.favorites) }
    var keys: [String] { state.withLock(\.keys) }

    var networking: any Networking {
        .closure { [self] request in
            let key = request.value(forHTTPHeaderField: "Idempotency-Key")
            return try state.withLock { state in
                if let key { state.keys.append(key) }
                guard state.isReachable else { throw NetworkError(.unreachable) }
                let id = request.url?.lastPathComponent ?? ""
                if request.httpMethod == "PUT" { state.favorites.insert(id) }
                if request.httpMethod == "DELETE" { state.favorites.remove(id) }
                return .json(
                    #"{"id": "boots", "name": "Boots", "isFavorite": \#(state.favorites.contains("boots"))}"#
                )
            }
        }
    }
}
