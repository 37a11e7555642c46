import Foundation
import ProductKit
import Testing

/// Tests that all requests of an operation belong to the user of the service.
///
/// The service belongs to Ann. The tokens are Bob’s as soon as the server receives the first request.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OperationUserTests {
    /// An operation of several requests.
    enum Operation: String, CaseIterable {
        case favorite, noFavorite, favorites, load, parallelLoad, productPages
        case addedLine, removedLine, lists, listPages
    }

    private let shop = Shop(
        products: ["pan", "pot"],
        pageSize: 1,
        lists: [
            .init(id: "1", name: "Camp", products: ["pot"]),
            .init(id: "2", name: "Favorites", products: ["pot"]),
        ]
    )
    /// The token of the user who is signed in.
    @Observed private var token = "ann"
    /// Returns whether another user is signed in when the server receives a request.
    @Observed private var endsSession: @Sendable (URLRequest) -> Bool = { _ in true }
    /// Whether favorites are stored in a list.
    @Observed private var storesFavorites = true
    /// Called after each response with a page of lists.
    @Observed private var afterLists: @Sendable () async throws -> Void = {}
    /// Called before the request that creates a list.
    @Observed private var beforeCreation: @Sendable () async throws -> Void = {}

    init() {
        shop.respond = { [self] request, carryOut in
            if endsSession(request) { token = "bob" }
            guard request.token != "rejected" else { return NetworkResponse(statusCode: 401) }
            return try carryOut()
        }
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test(arguments: Operation.allCases)
    func `after the user has changed, the operation sends nothing for another user`(
        operation: Operation
    ) async throws {
        let service = service()

        await #expect(throws: TokenError.sessionEnded) {
            try await perform(operation, with: service)
        }

        // Requests at the same time may have been sent before the user changed.
        #expect(Set(shop.users) == ["ann"])
        // So is a later operation.
        let count = shop.users.count
        await #expect(throws: TokenError.sessionEnded) {
            _ = try await service.listManager.lists()
        }
        #expect(shop.users.count == count)
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test(arguments: Operation.allCases)
    func `an operation of one user sends all of its requests`(operation: Operation) async throws {
        endsSession = { _ in false }

        try await perform(operation, with: service())

        #expect(Set(shop.users) == ["ann"] && shop.users.count > 1)
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `the product of a confirmed toggle is not loaded for another user`() async throws {
        storesFavorites = false
        let service = service()

        let product = try await service.loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(product == nil)
        #expect(shop.users == ["ann"])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @MainActor @Test func `a product is not added to a new list for another user`() async throws {
        let screen = service().membershipViewModel(for: .boots)

        await #expect(throws: TokenError.sessionEnded) {
            try await screen.addProductToNewList(named: "Trip")
        }

        #expect(shop.users == ["ann"])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @MainActor @Test func `a refresh of a catalog does not mix the pages of two users`()
        async throws
    {
        storesFavorites = false
        endsSession = { _ in shop.users.count == 3 }
        let catalog = service().catalogViewModel()
        try await catalog.search("")
        try await catalog.loadNextPage()
        let rows = catalog.rows.map(\.id)

        await #expect(throws: TokenError.sessionEnded) { try await catalog.refresh() }

        #expect(shop.users == ["ann", "ann", "ann"])
        #expect(catalog.rows.map(\.id) == rows)
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `an operation continues with a refreshed token of its user`() async throws {
        let user = ServiceUser.signedIn("ann") {
            AccessToken(token)
        } refresh: { _ in
            token = "new"
            return "new"
        }
        let service = backend.service(of: user)
        token = "rejected"
        endsSession = { _ in false }

        _ = try await service.listManager.allLists()

        #expect(shop.users == ["rejected", "new", "new"])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `an operation may use the services of two users`() async throws {
        endsSession = { _ in false }
        let services = ["ann", "bob"].map { user in
            backend.service(of: .signedIn(user) { AccessToken(user, user: user) })
        }
        let outer = ListManager(addProduct: { _, _ in
            for service in services + services { _ = try await service.listManager.lists() }
        })

        try await outer.addProduct(withID: "pan", toListWithID: "1")

        #expect(shop.users == ["ann", "bob", "ann", "bob"])
    }

    // Rule: security/operation-belongs-to-one-user (39); favorites/list-is-created-once (2)
    @Test(arguments: [true, false])
    func `a caller that waits for the list of another one creates none for another user`(
        isCreating: Bool
    ) async throws {
        let gate = ActionGate<Void>()
        let reads = Counter()
        endsSession = { _ in false }
        shop.lists[1].name = "Camp"
        if isCreating {
            beforeCreation = { try await gate.hold() }
        } else {
            // The last page that is read before the creation.
            afterLists = { if reads.next() == 4 { try await gate.hold() } }
        }
        let service = service()
        let executor = SerialTaskExecutor()
        let edit = { (id: Product.ID) in
            Task(executorPreference: executor) {
                try await service.loader.setFavoriteStatus(true, forProductWithID: id)
            }
        }
        let first = edit("pan")
        await gate.waitForCalls(1)
        let second = edit("pot")
        await executor.waitUntilIdle()
        token = "bob"
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }

        await #expect(throws: TokenError.sessionEnded) { try await second.value }
        #expect(shop.users == Array(repeating: "ann", count: 6))
    }

    private func service() -> ProductService {
        backend.service(of: .signedIn("ann") { AccessToken(token, user: token) })
    }

    private func perform(_ operation: Operation, with service: ProductService) async throws {
        let (loader, lists) = (service.loader, service.listManager)
        switch operation {
        case .favorite: _ = try await loader.setFavoriteStatus(true, forProductWithID: "pan")
        case .noFavorite: _ = try await loader.setFavoriteStatus(false, forProductWithID: "pot")
        case .favorites: _ = try await loader.favorites()
        case .lists: _ = try await lists.allLists()
        case .load: _ = try await loader.loadProduct(withID: "twice")
        case .parallelLoad: _ = try await loader.loadProduct(withID: "parts")
        case .addedLine: try await lists.addProduct(withID: "pan", toListWithID: "1")
        case .removedLine: try await lists.removeProduct(withID: "pot", fromListWithID: "1")
        case .listPages:
            for try await _ in lists.pages() {}
        case .productPages:
            for try await _ in loader.pages() {}
        }
    }

    private var backend: ProductBackend {
        ProductBackend(
            client: NetworkClient(baseURL: .api, networking: shop.networking),
            cache: ResponseCache(),
            loader: { client in
                let loader = self.loader(over: client)
                guard storesFavorites else { return loader }
                let lists = self.lists(over: client)
                return loader.storingFavorites(inListNamed: "Favorites", of: lists)
            },
            listManager: lists
        )
    }

    private func loader(over client: NetworkClient) -> ProductLoader {
        ProductLoader(
            load: { id in
                let product: Product = try await client.send(.get("goods", id))
                if id == "twice" {
                    let _: Product = try await client.send(.get("prices", id))
                } else if id == "parts" {
                    _ = try await Page(["a", "b", "c"]).concurrentMap { part in
                        try await client.send(NetworkRequest<Product>.get("parts", part))
                    }
                }
                return product
            },
            search: { query, cursor in
                guard query.ids.isEmpty else { throw UnsupportedOperation("search by ids") }
                return try await client.send(Self.page("goods", after: cursor))
            },
            setFavorite: { id, _ in
                try await client.send(NetworkRequest<Void>.put("favorites", id))
                return nil
            }
        )
    }

    @Sendable private func lists(over client: NetworkClient) -> ListManager {
        let lines = ListLines(
            read: { id in
                let list: ProductList = try await client.send(.get("lists", id))
                let lines = list.products.map { product in
                    ListLines.Line(id: Identifier(product.rawValue), product: product)
                }
                return ListLines.Contents(id: id, name: list.name, lines: lines)
            },
            add: { product, contents in
                let request = NetworkRequest<Void>.post("lists", contents.list.id, "rows")
                try await client.send(request.json(["product": product]))
            },
            remove: { lines, contents in
                for line in lines {
                    try await client.send(
                        NetworkRequest<Void>.delete("lists", contents.list.id, line)
                    )
                }
            }
        )
        return ListManager(
            addProduct: lines.add,
            removeProduct: lines.remove,
            lists: { cursor in
                let page: Page<ProductList> = try await client.send(
                    Self.page("lists", after: cursor)
                )
                try await afterLists()
                return page
            },
            list: lines.list,
            create: { _, name in
                try await beforeCreation()
                return try await client.send(.post("lists").json(["name": name]))
            }
        )
    }

    private static func page<Element: Decodable & Sendable>(
        _ path: String,
        after cursor: PageCursor?
    ) -> NetworkRequest<Page<Element>> {
        .get(path, query: cursor.map { ["page": $0.rawValue] } ?? [:])
    }
}
