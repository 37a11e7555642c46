import Foundation
import ProductKit
import Synchronization
import Testing

/// Favorites in lists, with the services of several users over one backend.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SharedFavoritesTests {
    private let shop = SharedShop()

    // Rule: favorites/list-is-created-once (2)
    @Test func `a user does not get the failure of another one`() async throws {
        let backend = shop.backend()
        let gate = ActionGate<Void>()
        shop.beforeCreation = { user in
            guard user == "ann" else { return }
            try await gate.hold()
            throw NetworkError(.rejected)
        }
        let (annsLoader, bobsLoader) = (
            service(over: backend).loader, service(of: "bob", over: backend).loader
        )
        let ann = Task { try await annsLoader.setFavoriteStatus(true, forProductWithID: "pan") }
        await gate.waitForCalls(1)

        let bob = Task { try await bobsLoader.setFavoriteStatus(true, forProductWithID: "pot") }
        // It would be wrong to wait for the creation of the other user's list.
        #expect(await eventually { !shop.lists.isEmpty })
        gate.open()

        let product = try await bob.value
        #expect(product?.isFavorite == true)
        await #expect(throws: NetworkError.self) { try await ann.value }
        #expect(shop.lists.map(\.user) == ["bob"])
    }

    // Rule: favorites/list-is-created-once (2)
    @Test func `two services of one user create one list`() async throws {
        let gate = ActionGate<Void>()
        shop.beforeCreation = { _ in try await gate.hold() }
        let backend = shop.backend()
        let executor = SerialTaskExecutor()
        let edits = ["pan", "pot"].map { id in
            let service = service(over: backend)
            return Task(executorPreference: executor) {
                try await service.loader.setFavoriteStatus(true, forProductWithID: Product.ID(id))
            }
        }
        await gate.waitForCalls(1)
        await executor.waitUntilIdle()
        gate.open()
        for edit in edits {
            let product = try await edit.value
            #expect(product?.isFavorite == true)
        }

        #expect(shop.lists.count == 1)
        #expect(Set(shop.lists[0].products) == ["pan", "pot"])
    }

    // Rule: favorites/list-is-created-once (2)
    @Test func `a service continues if the one that creates the list signs out`() async throws {
        let gate = ActionGate<Void>()
        shop.beforeCreation = { _ in try await gate.hold() }
        let backend = shop.backend()
        let executor = SerialTaskExecutor()
        let services = (0..<4).map { _ in service(over: backend) }
        let edits = services.enumerated().map { index, service in
            Task(executorPreference: executor) {
                try await service.loader
                    .setFavoriteStatus(true, forProductWithID: Product.ID("\(index)"))
            }
        }
        await gate.waitForCalls(1)
        await executor.waitUntilIdle()

        await services[0].signOut()
        gate.open()

        await #expect(throws: CancellationError.self) { try await edits[0].value }
        for edit in edits.dropFirst() { _ = try await edit.value }
        #expect(shop.lists.map { Set($0.products) } == [["1", "2", "3"]])
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `a rejected token is an error from the first load on`() async throws {
        shop.rejectsTokens = true
        let service = service()

        for operation in ["load", "favorites"] {
            let error = await #expect(throws: NetworkError.self) {
                if operation == "load" {
                    _ = try await service.loader.loadProduct(withID: "pan")
                } else {
                    _ = try await service.loader.favorites()
                }
            }
            #expect(error?.code == .unauthorized)
        }
        let guest = ProductService(backend: shop.backend(), localUser: .shopper, user: .guest)
        #expect(try await !guest.loader.loadProduct(withID: "pan").isFavorite)
    }

    // Rule: favorites/guests-have-none (4)
    @Test func `an expired session is an error if the transport signs the requests`() async throws {
        shop.rejectsTokens = true
        let signing = ClosureBehavior(intercept: { request, next in
            guard request.url.lastPathComponent == "lists" else { return try await next(request) }
            throw NetworkError(.unauthorized)
        })
        func service(of user: ServiceUser) -> ProductService {
            ProductService(backend: shop.backend(), localUser: .shopper, user: user)
        }

        for behaviors in [[], [signing]] {
            let ann = service(of: .signedIn("ann")).with(behaviors: behaviors)
            let error = await #expect(throws: NetworkError.self) {
                try await ann.loader.loadProduct(withID: "pan")
            }
            #expect(error?.code == .unauthorized)
            let guest = service(of: .guest).with(behaviors: behaviors)
            #expect(try await !guest.loader.loadProduct(withID: "pan").isFavorite)
        }
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `the favorite status of a stored product is unknown if the lists are not stored`()
        async throws
    {
        let backend = shop.backend(cache: ResponseCache())
        let service = service(over: backend)
        _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "pan")
        let known = try await service.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        let screen = try await service.viewModel(forProductWithID: "pan", policy: .cacheOnly)
        service.invalidate(.api.appending(path: "lists"))
        shop.isDown = true

        let unknown = try await service.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        let again = try await service.viewModel(forProductWithID: "pan", policy: .cacheOnly)

        #expect(known.value.isFavorite && known.value.unknownMembers.isEmpty)
        #expect(unknown.value.unknownMembers == .isFavorite)
        let outer = ProductLoader(fetch: { id, policy in
            try await service.loader.fetchProduct(withID: id, policy: policy)
        })
        let composed = try await outer.fetchProduct(withID: "pan", policy: .cacheOnly)
        #expect(composed.value.unknownMembers == .isFavorite)
        let stars = await [screen.isFavorite, again.isFavorite]
        #expect(stars == [true, true])
        let other = try await self.service(over: backend)
            .viewModel(forProductWithID: "pan", policy: .cacheOnly)
        #expect(await other.product.unknownMembers == .isFavorite)
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `stored favorites have the source of a failure if only the lists can be loaded`()
        async throws
    {
        let service = service(over: shop.backend(cache: ResponseCache()))
        _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "pan")
        shop.hasNoGoods = true

        let page = try await service.loader.favorites()

        #expect(page.items.map(\.id) == ["pan"] && page.source.code == .staleIfError)
        #expect((page.source.failure as? NetworkError)?.code == .unreachable)
    }

    // Rule: favorites/products-of-the-list (1)
    @Test func `favorites that were loaded by themselves are found offline`() async throws {
        let service = service(over: shop.backend(cache: ResponseCache()))
        _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "pan")
        _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "pot")
        _ = try await service.loader.loadProduct(withID: "pan")
        shop.isDown = true

        let count = shop.requestCount
        let page = try await service.loader.favorites()

        #expect(shop.requestCount == count + 2)
        #expect(page.items.map(\.id) == ["pot", "pan"] && page.source.code == .staleIfError)
        #expect(page.items.map(\.isFavorite) == [true, true])
    }

    private func service(
        of user: String = "ann",
        over backend: ProductBackend? = nil
    ) -> ProductService {
        ProductService(
            backend: backend ?? shop.backend(),
            localUser: .shopper,
            user: .signedIn(user) { user }
        )
    }
}

/// A shop with the lists of several users, whom it knows by their tokens.
private final class SharedShop: Sendable {
    struct List {
        let user: String
        var products: [Product.ID] = []
    }

    private struct State {
        var lists: [List] = []
        var rejectsTokens = false
        var isDown = false
        var hasNoGoods = false
        var requestCount = 0
        var beforeCreation: @Sendable (String) async throws -> Void = { _ in }
    }

    private let state = Mutex(State())

    var lists: [List] { state.withLock(\.lists) }
    var requestCount: Int { state.withLock(\.requestCount) }

    var rejectsTokens: Bool {
        get { state.withLock(\.rejectsTokens) }
        set { state.withLock { $0.rejectsTokens = newValue } }
    }

    /// Whether products cannot be loaded, but lists can.
    var hasNoGoods: Bool {
        get { state.withLock(\.hasNoGoods) }
        set { state.withLock { $0.hasNoGoods = newValue } }
    }

    var isDown: Bool {
        get { state.withLock(\.isDown) }
        set { state.withLock { $0.isDown = newValue } }
    }

    var beforeCreation: @Sendable (String) async throws -> Void {
        get { state.withLock(\.beforeCreation) }
        set { state.withLock { $0.beforeCreation = newValue } }
    }

    func backend(cache: ResponseCache? = nil) -> ProductBackend {
        ProductBackend(
            client: NetworkClient(
                baseURL: .api,
                networking: .closure { try await self.response(to: $0) }
            ),
            cache: cache,
            related: { url in [url.deletingLastPathComponent()] },
            retry: RetryBehavior(attempts: 1),
            loader: { client in
                ProductLoader(
                    load: { id in try await client.send(.get("goods", id)) },
                    search: { query, _ in
                        let ids = query.ids.map(\.rawValue).joined(separator: ",")
                        return try await client.send(.get("goods", query: ["ids": ids]))
                    }
                )
                .storingFavorites(inListNamed: "Favorites", of: Self.lists(over: client))
            },
            listManager: Self.lists
        )
    }

    @Sendable private static func lists(over client: NetworkClient) -> ListManager {
        ListManager(
            addProduct: { product, list in
                try await client.send(.put("lists", list, product))
            },
            lists: { _ in try await client.send(.get("lists")) },
            create: { _, name in
                try await client.send(
                    NetworkRequest<ProductList>.post("lists").json(["name": name])
                )
            }
        )
    }

    private func response(to request: URLRequest) async throws -> NetworkResponse {
        state.withLock { $0.requestCount += 1 }
        guard !isDown else { throw NetworkError(.unreachable) }
        let path = request.url?.pathComponents.dropFirst(2).map(\.self) ?? []
        guard path.first == "lists" else {
            guard !hasNoGoods else { throw NetworkError(.unreachable) }
            return .json(products(in: request.url))
        }
        let token = request.value(forHTTPHeaderField: "Authorization")
        guard let user = token?.split(separator: " ").last.map(String.init), !rejectsTokens else {
            return NetworkResponse(statusCode: 401)
        }
        switch request.httpMethod {
        case "POST":
            try await beforeCreation(user)
            state.withLock { $0.lists.append(List(user: user)) }
            return .json(#"{"id": "\#(user)", "name": "Favorites"}"#)
        case "PUT":
            state.withLock { state in
                let index = state.lists.firstIndex { $0.user == path[1] }
                if let index { state.lists[index].products.append(Product.ID(path[2])) }
            }
            return NetworkResponse(statusCode: 204)
        default:
            let items = lists.filter { $0.user == user }.map { list in
                let products = list.products.map { #""\#($0)""# }.joined(separator: ",")
                return #"{"id": "\#(user)", "name": "Favorites", "products": [\#(products)]}"#
            }
            return .json(#"{"items": [\#(items.joined(separator: ","))]}"#)
        }
    }

    private func products(in url: URL?) -> String {
        let components = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        guard let ids = components?.queryItems?.first?.value else {
            return #"{"id": "\#(url?.lastPathComponent ?? "")", "name": "Product"}"#
        }
        let items = ids.split(separator: ",").map { #"{"id": "\#($0)", "name": "Product"}"# }
        return #"{"items": [\#(items.joined(separator: ","))]}"#
    }
}
