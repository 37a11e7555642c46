import Foundation
import ProductKit
import Testing

/// Edits that an outbox saves, with every adapter that finds its lists.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxChecks {
    private static let backends = TestedBackend.supporting([.lists, .allLists])

    @Test(arguments: backends)
    @MainActor func `a new list has its product`(backend: TestedBackend) async throws {
        let shop = FakeShop(handler: backend.handler)
        let service = service(of: backend, in: shop)
        let screen = service.membershipViewModel(for: Product(id: "1", name: "Iron Pan"))

        _ = try await screen.addProductToNewList(named: "Camp")
        for _ in 1...3 { try await service.outbox?.sendAll() }

        #expect(shop.content.lists.map(\.name) == ["Camp"])
        #expect(shop.content.lists.map { $0.lines.map(\.product) } == [["1"]])
        #expect(service.outbox?.rejections.isEmpty == true)
    }

    @Test(arguments: backends)
    @MainActor func `a name that meets a conflict is sent again`(
        backend: TestedBackend
    ) async throws {
        let shop = FakeShop(handler: backend.handler)
        let service = service(of: backend, in: shop)
        let list = try await service.listManager.createList(named: "Camp")
        shop.writeFailures = [backend.failure(409)]

        try await service.outbox?.save(.renameList(list.id, name: "Party"))
        for _ in 1...3 { try await service.outbox?.sendAll() }

        #expect(shop.content.lists.map(\.name) == ["Party"])
        #expect(service.outbox?.rejections.isEmpty == true)
    }

    private func service(of backend: TestedBackend, in shop: FakeShop) -> ProductService {
        let parts = TestedBackend.Parts(
            user: "ann",
            networking: shop.networking,
            cache: nil,
            retry: RetryBehavior(attempts: 2, effects: SystemEffects(sleep: { _ in }))
        )
        return ProductService(
            backend: backend.make(parts),
            localUser: LocalUser(currency: "EUR"),
            user: .signedIn("ann") { "ann" },
            outbox: Outbox()
        )
    }
}
