import Foundation
import ProductKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tests that all requests of one operation belong to one user.
///
/// Ann starts each operation. Bob is signed in as soon as the server receives the first request.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OperationUserTests {
    /// An operation of several requests.
    enum Operation: String, CaseIterable {
        case favorite, noFavorite, favorites, load, parallelLoad, productPages
        case addedLine, removedLine, lists, listPages
    }

    /// How a service gets the token of a user.
    enum Tokens: CaseIterable {
        case text, token, tokenWithUser
    }

    private let shop = TwoUserShop()

    // Rule: security/operation-belongs-to-one-user (39)
    @Test(arguments: Operation.allCases, Tokens.allCases)
    func `after the user has changed, the operation sends nothing for another user`(
        operation: Operation,
        tokens: Tokens
    ) async throws {
        let service = service(tokens)

        await #expect(throws: TokenError.sessionEnded) {
            try await perform(operation, with: service)
        }

        // Requests at the same time may have been sent before the user changed.
        #expect(Set(shop.users) == ["ann"])
        // A later operation belongs to the user of that time.
        _ = try await service.listManager.lists()
        #expect(shop.users.last == "bob")
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test(arguments: Operation.allCases)
    func `an operation of one user sends all of its requests`(operation: Operation) async throws {
        shop.endsSession.withLock { $0 = { _ in false } }

        try await perform(operation, with: service(.tokenWithUser))

        #expect(Set(shop.users) == ["ann"] && shop.users.count > 1)
    }

    // Rule: security/operation-belongs-to-one-user (39); pages/moved-pages-are-loaded-again (13)
    @Test func `lists that are loaded a second time belong to one user`() async throws {
        let token = Mutex("ann")
        let requests = Counter()
        let service = ProductService(
            baseURL: .api,
            localUser: .shopper,
            networking: .closure { _ in
                // The second page has another total.
                let number = requests.next()
                if number == 2 { token.withLock { $0 = "bob" } }
                return .json(
                    """
                    {"items": [{"id": "\(number)", "name": "Winter", "productIDs": []}],
                    "total": \(number), "next": \(number % 2 == 1 ? "\"2\"" : "null")}
                    """
                )
            },
            token: { token.withLock { AccessToken($0, user: $0) } }
        )

        await #expect(throws: TokenError.sessionEnded) {
            try await service.listManager.allLists()
        }

        #expect(requests.count == 2)
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `the values of a product belong to one user`() async throws {
        let service = service(.tokenWithUser)
        shop.endsSession.withLock { $0 = { _ in false } }
        _ = try await service.loader.fetchProduct(withID: "pan")
        var values = service.loader.values(ofProductWithID: "pan").makeAsyncIterator()
        #expect(try await values.next()?.source.code == .cache)
        let requests = shop.users

        shop.token.withLock { $0 = "bob" }
        await #expect(throws: TokenError.sessionEnded) { _ = try await values.next() }

        #expect(shop.users == requests)
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `the product of a confirmed toggle is not loaded for another user`() async throws {
        shop.storesFavorites.withLock { $0 = false }
        let service = service(.tokenWithUser)

        let product = try await service.loader.setFavoriteStatus(true, forProductWithID: "pan")

        #expect(product == nil)
        #expect(shop.users == ["ann"])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @MainActor @Test func `a product is not added to a new list for another user`() async throws {
        let screen = service(.tokenWithUser).membershipViewModel(for: .boots)

        await #expect(throws: TokenError.sessionEnded) {
            try await screen.addProductToNewList(named: "Trip")
        }

        #expect(shop.users == ["ann"])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @MainActor @Test func `a refresh of a catalog does not mix the pages of two users`()
        async throws
    {
        shop.storesFavorites.withLock { $0 = false }
        shop.endsSession.withLock { $0 = { _ in shop.users.count == 3 } }
        let catalog = service(.tokenWithUser).catalogViewModel()
        try await catalog.search("")
        try await catalog.loadNextPage()
        let rows = catalog.rows.map(\.id)

        await #expect(throws: TokenError.sessionEnded) { try await catalog.refresh() }

        #expect(shop.users == ["ann", "ann", "ann"])
        #expect(catalog.rows.map(\.id) == rows)
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `an operation continues with a refreshed token of its user`() async throws {
        let service = ProductService(
            backend: shop.backend,
            localUser: LocalUser(currency: "EUR"),
            token: { AccessToken(shop.token.withLock(\.self)) },
            refresh: { _ in
                shop.token.withLock { $0 = "new" }
                return "new"
            }
        )
        shop.token.withLock { $0 = "rejected" }
        shop.endsSession.withLock { $0 = { _ in false } }

        _ = try await service.listManager.allLists()

        #expect(shop.users == ["rejected", "new", "new"])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `a request of a behavior does not belong to the operation`() async throws {
        shop.endsSession.withLock { $0 = { _ in false } }
        let other = Mutex<ProductService?>(nil)
        defer { other.withLock { $0 = nil } }
        let service = service(.tokenWithUser)
        other.withLock { $0 = service }
        let behavior = ClosureBehavior(intercept: { request, next in
            if request.method == "PUT" {
                shop.token.withLock { $0 = "carl" }
                _ = try await other.withLock(\.self)?.listManager.lists()
                shop.token.withLock { $0 = "ann" }
            }
            return try await next(request)
        })

        try await service.with(behaviors: [behavior]).listManager
            .addProduct(withID: "pan", toListWithID: "1")

        #expect(shop.users == ["ann", "carl", "ann"])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `a task that continues after its operation does not belong to it`() async throws {
        let gate = ActionGate<Void>()
        let service = service(.tokenWithUser)
        let started = Mutex<Task<Void, any Error>?>(nil)
        let lists = service.listManager
        let outer = ListManager(addProduct: { _, _ in
            _ = try await lists.lists()
            let task = Task {
                try await gate.hold()
                _ = try await lists.lists()
            }
            started.withLock { $0 = task }
        })

        try await outer.addProduct(withID: "pan", toListWithID: "1")
        gate.open()
        try await started.withLock(\.self)?.value

        #expect(shop.users == ["ann", "bob"])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `operations inside of another one belong to its user`() async throws {
        let lists = service(.tokenWithUser).listManager
        let outer = ListManager(addProduct: { _, _ in
            for _ in 0..<2 { _ = try await lists.lists() }
        })

        await #expect(throws: TokenError.sessionEnded) {
            try await outer.addProduct(withID: "pan", toListWithID: "1")
        }

        #expect(shop.users == ["ann"])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `an operation may use the services of two users`() async throws {
        shop.endsSession.withLock { $0 = { _ in false } }
        let services = ["ann", "bob"].map { user in
            ProductService(backend: shop.backend, localUser: LocalUser(currency: "EUR")) {
                AccessToken(user, user: user)
            }
        }
        let outer = ListManager(addProduct: { _, _ in
            for service in services + services { _ = try await service.listManager.lists() }
        })

        try await outer.addProduct(withID: "pan", toListWithID: "1")

        #expect(shop.users == ["ann", "bob", "ann", "bob"])
    }

    // Rule: security/operation-belongs-to-one-user (39); favorites/list-is-created-once (2)
    @Test(arguments: [true, false])
    func `a list that another caller waits for is not created for another user`(
        isCreating: Bool
    ) async throws {
        let gate = ActionGate<Void>()
        let reads = Counter()
        shop.endsSession.withLock { $0 = { _ in false } }
        shop.hasFavorites.withLock { $0 = false }
        shop.afterLists.withLock {
            $0 = {
                // The second pages: those read before the creation, and by the second caller.
                let read = reads.next()
                if read == 6 || read == 4 && !isCreating { try await gate.hold() }
            }
        }
        if isCreating { shop.beforeCreation.withLock { $0 = { try await gate.hold() } } }
        let service = service(.tokenWithUser)
        let executor = SerialTaskExecutor()
        let edit = { (id: Product.ID) in
            Task(executorPreference: executor) {
                try await service.loader.setFavoriteStatus(true, forProductWithID: id)
            }
        }
        let first = edit("pan")
        await gate.waitForCalls(1)
        let second = edit("pot")
        await gate.waitForCalls(1)
        try gate.release(at: 1)
        await executor.waitUntilIdle()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        shop.token.withLock { $0 = "bob" }
        gate.open()

        await #expect(throws: TokenError.sessionEnded) { try await second.value }
        #expect(shop.users == Array(repeating: "ann", count: 6))
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `each loop belongs to the user of its time`() async throws {
        shop.endsSession.withLock { $0 = { _ in false } }
        shop.storesFavorites.withLock { $0 = false }
        let service = service(.tokenWithUser)
        let pages = service.listManager.pages()
        let values = service.loader.values(ofProductWithID: "pan")

        for user in ["ann", "bob"] {
            shop.token.withLock { $0 = user }
            for try await _ in pages {}
            for try await _ in values {}
        }

        #expect(shop.users == ["ann", "ann", "ann", "bob", "bob", "bob"])
    }

    // Rule: security/operation-belongs-to-one-user (39)
    @Test func `an operation that repeats a stored result does not change its user`() async throws {
        shop.endsSession.withLock { $0 = { _ in false } }
        shop.storesFavorites.withLock { $0 = false }
        let loader = service(.tokenWithUser).loader
        _ = try await loader.loadProduct(withID: "pan")
        let outer = ProductLoader(load: { id in
            _ = try await loader.loadProduct(withID: id)
            shop.token.withLock { $0 = "bob" }
            throw NetworkError(.unexpected)
        })

        await #expect(throws: TokenError.sessionEnded) {
            try await outer.fetchProduct(withID: "pan", policy: .cacheFirst)
        }

        #expect(shop.users == ["ann"])
    }

    private func service(_ tokens: Tokens) -> ProductService {
        let localUser = LocalUser(currency: "EUR")
        return switch tokens {
        case .text:
            ProductService(backend: shop.backend, localUser: localUser) {
                shop.token.withLock(\.self)
            }
        case .token:
            ProductService(backend: shop.backend, localUser: localUser) {
                AccessToken(shop.token.withLock(\.self))
            }
        case .tokenWithUser:
            ProductService(backend: shop.backend, localUser: localUser) {
                let user = shop.token.withLock(\.self)
                return AccessToken(user, user: user)
            }
        }
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
}
