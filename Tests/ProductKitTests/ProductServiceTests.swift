import Foundation
import ProductKit
import Synchronization
import Testing

@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductServiceTests {
    private nonisolated static let german = LocalUser(
        currency: "EUR",
        locale: Locale(identifier: "de_DE")
    )

    @Test func `the loader and the list manager send requests to the same API`() async throws {
        let lines = Mutex<[String]>([])
        let service = service { request in
            lines.withLock { $0.append(request.line) }
            return .json(#"{"id": "a", "name": "A"}"#)
        }

        _ = try await service.loader.loadProduct(withID: "a")
        _ = try await service.listManager.list(withID: "a")

        let expected = [
            "GET https://api.example.com/v1/products/a", "GET https://api.example.com/v1/lists/a",
        ]
        #expect(lines.withLock { $0 } == expected)
    }

    @Test func `the view models of a service share its state`() async throws {
        let service = service { request in
            request.url?.lastPathComponent == "lists"
                ? .json(#"{"items": []}"#) : .json(#"{"items": [{"id": "a", "name": "New"}]}"#)
        }
        let screen = service.viewModel(for: Product(id: "a", name: "Old"))
        let membership = service.membershipViewModel(for: screen.product)
        let german = service.catalogViewModel(localUser: Self.german)

        try await service.catalogViewModel().search("")
        try await membership.reload()

        #expect(screen.title == "New")
        #expect(screen.localUser == service.localUser && german.localUser == Self.german)
    }

    @Test func `loaders, list managers and actions take behaviors`() async throws {
        let lines = Mutex<[String?]>([])
        let networking: any Networking = .closure { request in
            lines.withLock { $0.append(request.value(forHTTPHeaderField: "X-Key")) }
            return .json(#"{"id": "a", "name": "A"}"#)
        }
        let key = ClosureBehavior(additionalHeaders: { ["X-Key": "k"] })
        let loader = ProductLoader(baseURL: .api, networking: networking, behaviors: [key])
        let lists = ListManager(baseURL: .api, networking: networking, behaviors: [key])
        let actions = ProductViewModel.Actions(
            productID: "a",
            baseURL: .api,
            networking: networking,
            behaviors: [key]
        )

        _ = try await loader.loadProduct(withID: "a")
        _ = try await lists.list(withID: "a")
        _ = try await actions.reload()
        _ = try await actions.addToList("b")

        #expect(lines.withLock(\.self) == ["k", "k", "k", "k"])
    }

    @Test func `every request is signed with the current token`() async throws {
        let tokens = Mutex(["second", "first"])
        let sent = Mutex<[String?]>([])
        let user = ServiceUser.signedIn("anna") { tokens.withLock { $0.popLast() } }
        let service = service(user: user) { request in
            sent.withLock { $0.append(request.value(forHTTPHeaderField: "Authorization")) }
            return .json(#"{"id": "a", "name": "A"}"#)
        }

        _ = try await service.loader.loadProduct(withID: "a")
        try await service.listManager.addProduct(withID: "a", toListWithID: "b")

        // Without a token, the user has signed out.
        await #expect(throws: TokenError.sessionEnded) {
            try await service.loader.loadProduct(withID: "a")
        }
        #expect(sent.withLock { $0 } == ["Bearer first", "Bearer second"])
    }

    @Test(
        arguments: [
            ("de_DE", "de-DE"), ("en_US", "en-US"), ("fr", "fr"), ("zh_Hant_TW", "zh-Hant-TW"),
            ("sr_Cyrl", "sr-Cyrl"), ("de_DE@currency=EUR", "de-DE"), ("", nil),
        ]
    )
    func `requests carry the user's language`(locale: String, language: String?) async throws {
        let user = LocalUser(currency: "EUR", locale: Locale(identifier: locale))
        let service = service(localUser: user) { request in
            #expect(request.value(forHTTPHeaderField: "Accept-Language") == language)
            return .json(#"{"id": "a", "name": "A"}"#)
        }

        _ = try await service.loader.loadProduct(withID: "a")
    }

    // Rule: screen/reset-drops-responses (48)
    @Test func `a product that arrives after a reset does not open a screen`() async throws {
        let store = Mutex<ProductStore?>(nil)
        let service = ProductService(
            loader: ProductLoader(load: { id in
                await store.withLock { $0 }?.reset()
                return Product(id: id, name: "A")
            }),
            listManager: ListManager(addProduct: { _, _ in }),
            localUser: LocalUser(currency: "EUR")
        )
        store.withLock { $0 = service.store }

        await #expect(throws: CancellationError.self) {
            try await service.viewModel(forProductWithID: "a")
        }
    }

    @Test func `behaviors run in order, outside of the language and the token`() async throws {
        let lines = Mutex<[String]>([])
        let log: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
        let behaviors = ["a", "b"].map { name in
            ClosureBehavior(modify: { request in
                log("\(name) \(request.headers.map(\.name).sorted())")
            })
        }
        let service = service(
            behaviors: behaviors,
            user: .signedIn("anna") {
                log("token")
                return "demo-token"
            }
        ) { request in
            log("network \(request.allHTTPHeaderFields?.keys.sorted() ?? [])")
            return .json(#"{"id": "a", "name": "A"}"#)
        }

        _ = try await service.loader.loadProduct(withID: "a")

        let expected = [
            #"a ["Accept"]"#, #"b ["Accept"]"#, "token",
            #"network ["Accept", "Accept-Language", "Authorization", "Cache-Control"]"#,
        ]
        #expect(lines.withLock { $0 } == expected)
    }

    @Test func `a behavior can set another language and token`() async throws {
        let own: NetworkHeaders = ["Accept-Language": "fr", "Authorization": "Basic own"]
        let service = service(
            behaviors: [ClosureBehavior(additionalHeaders: { own })],
            user: .signedIn("anna") { "demo-token" }
        ) { request in
            #expect(request.value(forHTTPHeaderField: "Accept-Language") == "fr")
            #expect(request.value(forHTTPHeaderField: "Authorization") == "Basic own")
            return .json(#"{"id": "a", "name": "A"}"#)
        }

        _ = try await service.loader.loadProduct(withID: "a")
    }

    @Test func `the error of the token closure fails the load`() async throws {
        let service = service(user: .signedIn("anna") { throw UnsupportedOperation("token") }) {
            _ in
            Issue.record("A request was sent.")
            return NetworkResponse()
        }

        await #expect(throws: UnsupportedOperation("token")) {
            try await service.viewModel(forProductWithID: "a")
        }
    }

    @Test func `two view models of a product share its state`() async throws {
        let lines = Mutex<[String]>([])
        let service = service { request in
            lines.withLock { $0.append(request.line) }
            return .json(#"{"id": "walking-boots", "name": "New Boots", "isFavorite": true}"#)
        }
        let first = service.viewModel(for: .boots)
        let second = service.viewModel(for: .boots)

        try await first.toggleProductFavoriteStatus()

        #expect(first.isFavorite)
        #expect(second.isFavorite)
        #expect(second.title == "New Boots")
        let line = "PUT https://api.example.com/v1/favorites/walking-boots"
        #expect(lines.withLock { $0 } == [line])
    }

    @Test func `view models of two services share no state`() async throws {
        let response = NetworkResponse.json(#"{"id": "walking-boots", "name": "New Boots"}"#)
        let first = service { _ in response }.viewModel(for: .boots)
        let second = service { _ in response }.viewModel(for: .boots)

        try await first.reload()

        #expect(first.title == "New Boots")
        #expect(second.title == "Walking Boots")
    }

    @Test func `a view model is created after its product is loaded`() async throws {
        let service = service { request in
            #expect(request.line == "GET https://api.example.com/v1/products/walking-boots")
            return try NetworkResponse(json: Product.boots)
        }

        let viewModel = try await service.viewModel(forProductWithID: "walking-boots")

        #expect(viewModel.product == .boots)
        #expect(viewModel.localUser == Self.german)
    }

    @Test func `a product that does not exist has no view model`() async throws {
        let service = service { _ in NetworkResponse(statusCode: 404) }

        await #expect(throws: ProductError.notFound("a")) {
            try await service.viewModel(forProductWithID: "a")
        }
    }

    // Rule: errors/not-found-needs-an-api (7)
    @Test func `a web page with status 404 does not mark the product as deleted`() async throws {
        let viewModel = service { _ in .webPage(statusCode: 404) }.viewModel(for: .boots)

        await #expect(throws: NetworkError.self) { try await viewModel.reload() }
        await #expect(throws: NetworkError.self) {
            try await viewModel.toggleProductFavoriteStatus()
        }

        #expect(viewModel.phase != .deleted)
        let underlying = try #require(viewModel.lastError?.underlying)
        #expect(String(reflecting: underlying).contains("base URL"))
    }

    @Test func `a view model adds its product to a list`() async throws {
        let lines = Mutex<[String]>([])
        let service = service { request in
            lines.withLock { $0.append(request.line) }
            return NetworkResponse(statusCode: 204)
        }

        try await service.viewModel(for: .boots).addProductToList(withID: "trip")

        let line = "PUT https://api.example.com/v1/lists/trip/products/walking-boots"
        #expect(lines.withLock { $0 } == [line])
    }

    @Test func `a view model has the service's user by default`() {
        var service = service { _ in NetworkResponse() }
        let american = LocalUser(currency: "USD", locale: Locale(identifier: "en_US"))

        #expect(service.viewModel(for: .boots).localUser == Self.german)
        #expect(service.viewModel(for: .boots, localUser: american).localUser == american)
        service.localUser = american
        #expect(service.viewModel(for: .boots).priceText == "$139.00")
    }

    @Test func `a service is created from a loader and a list manager of any backend`() async throws
    {
        let service = ProductService(
            loader: ProductLoader(load: { id in Product(id: id, name: "Own") }),
            listManager: ListManager(addProduct: { _, list in throw ListError.notFound(list) }),
            localUser: Self.german
        )

        let viewModel = try await service.viewModel(forProductWithID: "a")

        #expect(viewModel.title == "Own")
        await #expect(throws: ListError.notFound("trip")) {
            try await viewModel.addProductToList(withID: "trip")
        }
    }

    private func service(
        localUser: LocalUser = german,
        behaviors: [any RequestBehavior] = [],
        user: ServiceUser = .guest,
        _ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ProductService {
        .contract(
            localUser: localUser,
            user: user,
            networking: .closure(respond),
            behaviors: behaviors
        )
    }
}
