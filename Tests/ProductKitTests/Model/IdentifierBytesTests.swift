import Foundation
import ProductKit
import Synchronization
import Testing

/// Identifiers that differ in Unicode normalization only, which `String` compares as equal.
@Suite(.serialized, .timeLimit(.minutes(5))) struct IdentifierBytesTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"
    private static let texts = [composed, decomposed]
    private let ids = texts.map { Product.ID($0) }

    // Rule: json/identifiers-are-bytes (21)
    @Test func `identifiers and cursors are equal only if their bytes are`() {
        #expect(Self.composed == Self.decomposed)
        #expect(ids[0] != ids[1] && Set(ids).count == 2)
        #expect(PageCursor(rawValue: Self.composed) != PageCursor(rawValue: Self.decomposed))
        #expect(ids[0] == Product.ID("caf\u{E9}"))
        #expect(ids[0].hashValue == Product.ID("caf\u{E9}").hashValue)
        #expect(Product.ID("a") != Product.ID("a\u{0}"))
    }

    // Rule: json/identifiers-are-bytes (21)
    @Test func `identifiers and cursors that differ in their order of marks have different hashes`()
    {
        // The order of these marks does not matter to `String`.
        let marks = ["\u{301}", "\u{323}", "\u{327}"]
        let texts = marks.flatMap { one in
            marks.filter { $0 != one }
                .map { other in
                    marks.reduce("a\(one)\(other)") { [one, other].contains($1) ? $0 : $0 + $1 }
                }
        }
        #expect(Set(texts).count == 1)

        #expect(Set(texts.map { Product.ID($0).hashValue }).count == 6)
        #expect(Set(texts.map { PageCursor(rawValue: $0).hashValue }).count == 6)
    }

    // Rule: json/identifiers-are-bytes (21)
    @MainActor @Test func `two products are two rows and two screens`() async throws {
        let products = Self.texts.map { Product(id: Product.ID($0), name: $0) }
        let favorites = Mutex<[Product.ID]>([])
        let service = ProductService(
            loader: .only(
                search: { _, _ in Page(products) },
                setFavorite: { id, _ in
                    favorites.withLock { $0.append(id) }
                    return nil
                }
            ),
            listManager: .only(),
            localUser: LocalUser(currency: "EUR")
        )
        let catalog = service.catalogViewModel()
        try await catalog.search("")
        #expect(catalog.rows.map { Array($0.id.rawValue.utf8).count } == [5, 6])

        let screen = service.viewModel(for: products[1])
        try await screen.toggleProductFavoriteStatus()

        #expect(favorites.withLock { $0 } == [ids[1]])
        #expect(catalog.rows.map(\.isFavorite) == [false, true])
        #expect(!service.viewModel(for: products[0]).isFavorite)
    }

    // Rule: json/identifiers-are-bytes (21)
    @MainActor @Test func `a list contains only the product with the same bytes`() async throws {
        let actions = ListMembershipViewModel.Actions.only(addToList: { _ in })
        let lists = Self.texts.map { ProductList(id: .init($0), name: "A", products: [ids[1]]) }
        let viewModel = ListMembershipViewModel(
            product: Product(id: ids[0], name: "A"),
            lists: lists,
            actions: actions
        )

        try await viewModel.toggleMembership(inListWithID: ProductList.ID(Self.decomposed))

        #expect(viewModel.rows.map(\.holdsProduct) == [false, true])
    }

    // Rule: json/identifiers-are-bytes (21)
    @Test func `edits of two products are two changes`() async throws {
        let server = OutboxServer()
        server.failure = NetworkError(.unreachable)
        let outbox = Outbox.controlled().start { try server.receive($0) }
        for id in ids { try await outbox.save(.setFavorite(id, to: true)) }
        for text in Self.texts { try await outbox.save(.deleteList(ProductList.ID(text))) }
        try await outbox.sendAll()
        #expect(outbox.changes.count == 4)
        server.failure = nil

        #expect(try await outbox.sendAll() == 0)
        #expect(Set(server.edits.suffix(4)).count == 4)
    }

    // Rule: json/identifiers-are-bytes (21)
    @Test func `stored responses of two products and two users are not mixed up`() async throws {
        let client = CachedClient()
        for (number, text) in Self.texts.enumerated() {
            for (user, name) in Self.texts.enumerated() {
                client.partition = name
                try await client.send(request(text)) { _ in
                    .text("\(number) \(user)", headers: ["Cache-Control": "max-age=60"])
                }
            }
        }
        #expect(client.requestCount == 4)
        for (number, text) in Self.texts.enumerated() {
            for (user, name) in Self.texts.enumerated() {
                client.partition = name
                let response = try await client.send(request(text)) { _ in NetworkResponse() }
                #expect(response.text == "\(number) \(user)")
            }
        }
        let down: CachedClient.Server = { _ in NetworkResponse(statusCode: 599) }
        client.cache.invalidateAll(partition: Self.composed)
        client.partition = Self.decomposed
        #expect(try await client.send(request(Self.composed), server: down).text == "0 1")
        client.partition = Self.composed
        #expect(try await client.send(request(Self.composed), server: down).statusCode == 599)
    }

    // Rule: json/identifiers-are-bytes (21); tokens/token-stays-with-its-user (7)
    @Test func `the token of one user is not used for the other`() async throws {
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { AccessToken("old", user: Self.composed) },
            refresh: { _ in AccessToken("new", user: Self.decomposed) }
        )

        await #expect(throws: TokenError.sessionEnded) {
            try await behavior.send { _ in NetworkResponse(statusCode: 401) }
        }
    }

    // Rule: json/identifiers-are-bytes (21)
    @Test func `requests of two users in flight are not shared`() async throws {
        let partition = Mutex(Self.composed)
        let coalescing = CoalescingBehavior(partition: { partition.withLock(\.self) })
        let (gate, sends) = (ActionGate<Void>(), Counter())
        let send: @Sendable (URLRequest) async throws -> NetworkResponse = { _ in
            sends.next()
            try await gate.hold()
            return NetworkResponse()
        }
        let executor = SerialTaskExecutor()
        let first = Task(executorPreference: executor) { try await coalescing.send(to: send) }
        await executor.waitUntilIdle()
        partition.withLock { $0 = Self.decomposed }
        let second = Task(executorPreference: executor) { try await coalescing.send(to: send) }
        await executor.waitUntilIdle()
        gate.open()

        _ = try await (first.value, second.value)
        #expect(sends.count == 2)
    }

    private func request(_ id: String) throws -> OutgoingRequest {
        try NetworkRequest<Product>.get("products", Product.ID(id)).parts.outgoing(relativeTo: .api)
    }
}
