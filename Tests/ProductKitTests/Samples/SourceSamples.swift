import Foundation
import ProductKit
import Synchronization
import Testing

/// The code in comments of the library.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SourceSamples {
    private let api: URL

    init() throws {
        api = try #require(URL(string: "https://api.example.com/v1"))
    }

    @Test func `model`() async throws {
        let loader = ProductLoader(
            load: { id in Product(id: id, name: "Walking Boots") },
            search: { query, _ in Page([Product(id: "walking-boots", name: query.text)]) }
        )
        do {
            let boots: Product.ID = "walking-boots"
            #expect(boots.rawValue == "walking-boots")
        }
        do {
            let exact = try Price("19.99", currency: "EUR")
            let cents = Price(minorUnits: 1999, currency: "EUR")
            #expect(exact == cents)
        }
        do {
            let page = try await loader.products(matching: "boots")
            #expect(page.items.map(\.name) == ["boots"])
        }
        do {
            let boots = Product(id: "walking-boots", name: "Walking Boots")
            let page = Page([boots], next: "2")
            #expect(page.next == "2")
        }
    }

    @Test func `networking`() async throws {
        do {
            let networking: any Networking = .closure { request in
                NetworkResponse(statusCode: 204)
            }
            let response = try await networking.response(for: URLRequest(url: api))
            #expect(response.statusCode == 204)
        }
        do {
            let engine = CallbackEngine()
            let value = try await withCancellableCompletion { finish in
                let job = engine.start { result in finish(result) }
                return { job.stop() }
            }
            #expect(value == 42)
        }
        do {
            let engine = CallbackEngine()
            let networking: any Networking = .closure { request in
                try request.validate()
                return try await withCancellableCompletion { finish in
                    let job = engine.send(request) { result in finish(result) }
                    return { job.stop() }
                }
            }
            let response = try await networking.response(for: URLRequest(url: api))
            #expect(response.statusCode == 204)
        }
        do {
            let headers: NetworkHeaders = ["ETag": "\"7\""]
            #expect(headers["etag"] == "\"7\"")
        }
        do {
            let engine: any Networking = .closure { _ in NetworkResponse() }
            let networking = engine.followingRedirects()
            _ = networking
        }
        do {
            print(SystemTransport.system)
        }
        do {
            let certificate = Data()
            let pinned = SystemTransport(isTrusted: { server in
                server.certificates.first == certificate
            })
            _ = pinned
        }
        do {
            let gone = NetworkResponse(statusCode: 404)
            #expect(gone.body.isEmpty)
        }
        do {
            let patient = URLSessionTransport(maximumBodySize: 64 << 20, deadline: .seconds(20))
            _ = patient
        }
        #if canImport(Glibc)
        do {
            let patient = try CurlTransport(maximumBodySize: 64 << 20, deadline: .seconds(20))
            _ = patient
        }
        #endif
        let patient = SystemTransport(maximumBodySize: 64 << 20, deadline: .seconds(20))
        _ = patient
    }

    @Test func `requests`() async throws {
        let id: Product.ID = "walking-boots"
        let networking: any Networking = .closure { request in
            let name = request.value(forHTTPHeaderField: "Authorization") ?? "unsigned"
            return try NetworkResponse(json: Product(id: "walking-boots", name: name))
        }
        do {
            let client = NetworkClient(baseURL: api, networking: networking)
            let product = try await client.send(NetworkRequest<Product>.get("products", id))
            #expect(product.name == "unsigned")
        }
        do {
            let client = NetworkClient(
                baseURL: api,
                networking: networking,
                behaviors: [TokenBehavior { "demo-token" }]
            )
            let product: Product = try await client.send(.get("products", "walking-boots"))
            #expect(product.name == "Bearer demo-token")
        }
    }

    @Test func `behaviors`() async throws {
        let session = Session()
        let spinner = Spinner()
        let version = ClosureBehavior(additionalHeaders: { ["X-App-Version": "1.4"] })
        let traced = ClosureBehavior(modify: { request in request.headers["X-Trace"] = "7" })
        let signed = TokenBehavior { await session.token }
        let activity = ActivityBehavior { isActive in spinner.show(isActive) }
        let effects = SystemEffects(sleep: { _ in }, random: { $0.upperBound })
        let logging = LoggingBehavior { event in print(event) }
        let client = NetworkClient(
            baseURL: api,
            networking: .closure { request in
                let token = request.value(forHTTPHeaderField: "Authorization")
                let version = request.value(forHTTPHeaderField: "X-App-Version")
                let trace = request.value(forHTTPHeaderField: "X-Trace")
                return try NetworkResponse(json: [token, version, trace])
            },
            behaviors: [
                logging, activity, version, traced, RetryBehavior(effects: effects), signed,
            ]
        )

        let seen: [String] = try await client.send(.get("anything"))

        #expect(seen == ["Bearer fresh", "1.4", "7"])
        #expect(spinner.seen.withLock { $0 } == [true, false])
    }

    @Test func `services`() async throws {
        let shop = ShopClient()
        do {
            let products = ClosureService { (id: Product.ID) in Product(id: id, name: "Boots") }
            let lists = ClosureService { (name: String) in ProductList(id: "7", name: name) }
            #expect(try await products.get("walking-boots").name == "Boots")
            #expect(try await lists.create("Camp").name == "Camp")
        }
        do {
            let loader = ProductLoader.only(load: { id in Product(id: id, name: "Boots") })
            #expect(try await loader.loadProduct(withID: "boots").name == "Boots")
        }
        do {
            let loader = ProductLoader.only(search: { _, _ in Page([]) })
            let page = try await loader.firstPage.get("boots")
            #expect(page.items.isEmpty)
        }
        let loader = ProductLoader(load: { id in try await shop.product(id) })
        #expect(try await loader.get("walking-boots").id == "walking-boots")
        let lists = ListManager(addProduct: { id, list in try await shop.add(id, to: list) })
        try await lists.addProduct(withID: "walking-boots", toListWithID: "wishlist")
        do {
            let url = api
            let loader = DataLoader(load: { url in Data(url.absoluteString.utf8) })
            let picture = try await loader.data(from: url)
            #expect(picture == Data(api.absoluteString.utf8))
        }
    }

    @MainActor @Test func `view models`() async throws {
        let boots = Product(id: "walking-boots", name: "Walking Boots")
        let id = boots.id
        let loader = ProductLoader(load: { id in Product(id: id, name: "Walking Boots") })
        let lists = ListManager(addProduct: { _, _ in })
        let viewModel = ProductViewModel(
            product: boots,
            localUser: LocalUser(currency: "EUR"),
            actions: .only(reload: { boots })
        )
        try await viewModel.reload()
        #expect(viewModel.phase == .loaded)
        let live = ProductViewModel.Actions(
            productID: id,
            loader: loader,
            listManager: lists
        )
        let test = ProductViewModel.Actions.only(reload: { boots })
        #expect(try await live.reload() == test.reload())
        do {
            let viewModel = CatalogViewModel(
                localUser: LocalUser(currency: "EUR"),
                actions: .only(loadPage: { _, _ in Page([boots]) })
            )
            try await viewModel.search("boots")
            #expect(viewModel.rows.map(\.title) == ["Walking Boots"])
        }
        do {
            let live = CatalogViewModel.Actions(loader: loader)
            let test = CatalogViewModel.Actions.only(loadPage: { _, _ in Page([boots]) })
            #expect(try await test.loadPage("", nil) == Page([boots]))
            await #expect(throws: UnsupportedOperation("search")) {
                try await live.loadPage("", nil)
            }
        }
        do {
            let token = "demo-token"
            let euros = LocalUser(currency: "EUR")
            let anna = ServiceUser.signedIn("anna") { token }
            let service = ProductService(baseURL: api, localUser: euros, user: anna)
            let viewModel = service.viewModel(for: boots)
            #expect(viewModel.title == "Walking Boots")
        }
    }
}

/// A client with callbacks.
struct CallbackEngine {
    struct Job: Sendable {
        func stop() {}
    }

    func start(_ completion: @Sendable (Result<Int, any Error>) -> Void) -> Job {
        completion(.success(42))
        return Job()
    }

    func send(
        _ request: URLRequest,
        _ completion: @Sendable (Result<NetworkResponse, any Error>) -> Void
    ) -> Job {
        completion(.success(NetworkResponse(statusCode: 204)))
        return Job()
    }
}

/// The session of a user in an app.
actor Session {
    private(set) var token = "fresh"
}

/// An activity indicator.
final class Spinner: Sendable {
    let seen = Mutex<[Bool]>([])

    func show(_ isActive: Bool) {
        seen.withLock { $0.append(isActive) }
    }
}
