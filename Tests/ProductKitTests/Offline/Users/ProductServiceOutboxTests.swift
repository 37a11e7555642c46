import Foundation
import ProductKit
import Synchronization
import Testing

@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductServiceOutboxTests {
    private static let boots = Product(id: "boots", name: "Boots")
    private let shop = Shop()

    // Rule: outbox/service-writes-use-outbox (59)
    @Test func `a tap made offline is shown after a restart, and sent when the server responds`()
        async throws
    {
        let storage = OutboxStorage.inMemory()
        shop.isReachable = false
        do {
            let service = service(storage: storage)
            let screen = service.viewModel(for: Self.boots)
            try await screen.toggleProductFavoriteStatus()
            #expect(screen.isFavorite && screen.isFavoriteUnsent && screen.lastError == nil)
            await service.outbox?.stop()
        }

        let restarted = service(storage: storage)
        let screen = restarted.viewModel(for: Self.boots)
        try await restarted.outbox?.open()
        #expect(screen.isFavorite && screen.isFavoriteUnsent)
        // The attempt of the start must not end after the shop is reachable.
        #expect(try await restarted.outbox?.sendAll() == 1)
        shop.isReachable = true
        #expect(try await restarted.outbox?.sendAll() == 0)

        #expect(screen.isFavorite && !screen.isFavoriteUnsent)
        #expect(shop.favorites == ["boots"])
        let key = shop.received.last?.value(forHTTPHeaderField: "Idempotency-Key")
        #expect(key?.count == 49)
    }

    // Rule: outbox/no-user-sends-for-another (63)
    @Test func `the changes of a user are not sent with the token of another one`() async throws {
        let token = Mutex(AccessToken("t1", user: "ben"))
        let service = ProductService.contract(
            user: .signedIn("anna") { token.withLock { $0 } },
            networking: shop.networking,
            outbox: .controlled(),
            retry: RetryBehavior(attempts: 1)
        )
        let outbox = try #require(service.outbox)
        let screen = service.viewModel(for: Self.boots)

        try await screen.toggleProductFavoriteStatus()
        try await outbox.sendAll()
        #expect(shop.favorites.isEmpty && outbox.changes.count == 1)

        token.withLock { $0 = AccessToken("t2", user: "anna") }
        try await outbox.sendAll()
        #expect(shop.favorites == ["boots"])
    }

    // Rule: outbox/sign-out-removes-changes (57); outbox/sign-out-can-keep-changes (58)
    @Test(arguments: [false, true])
    func `signing out removes the unsent changes, or leaves them for the next sign-in`(
        keepsChanges: Bool
    ) async throws {
        let storage = OutboxStorage.inMemory()
        shop.isReachable = false
        let service = service(storage: storage)
        let screen = service.viewModel(for: Self.boots)
        try await screen.toggleProductFavoriteStatus()

        if keepsChanges {
            await service.signOut(keepsUnsentChanges: true)
        } else {
            await service.signOut()
        }

        #expect(!screen.isFavorite && !screen.isFavoriteUnsent)
        shop.isReachable = true
        #expect(try await self.service(storage: storage).outbox?.sendAll() == 0)
        #expect(shop.favorites == (keepsChanges ? ["boots"] : []))
    }

    private func service(storage: OutboxStorage) -> ProductService {
        .contract(
            user: .signedIn("anna") { "token" },
            networking: shop.networking,
            outbox: .controlled(storage: storage),
            retry: RetryBehavior(attempts: 1)
        )
    }
}
