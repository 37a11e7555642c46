import Foundation
import Observation
import ProductKit
import Testing

/// The code of “Migrating to ProductKit”.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MigrationSamples {
    private let shop: URL

    init() throws {
        shop = try #require(URL(string: "https://api.example.com/v1"))
    }

    @Test func `an existing service is wrapped in closures`() async throws {
        let service = ShopClient()
        let loader = ProductLoader(
            load: { id in try await service.product(id) },
            setFavorite: { id, isFavorite in try await service.mark(id, isFavorite) }
        )

        #expect(
            try await loader.setFavoriteStatus(true, forProductWithID: "pan")?.isFavorite == true
        )
    }

    @Test func `a request contains the type of its response`() async throws {
        let client = NetworkClient(
            baseURL: shop,
            networking: .closure { request in
                let version = request.value(forHTTPHeaderField: "X-App-Version") ?? ""
                return try NetworkResponse(json: [Review(id: "1", stars: 4, text: version)])
            },
            behaviors: [AppVersionBehavior(version: "1.4")]
        )

        let reviews = try await client.send(.reviews(of: "walking-boots"))

        #expect(reviews.map(\.text) == ["1.4"])
    }

    @Test func `a client with completion handlers is wrapped`() async throws {
        let legacy = LegacyShop()
        let loader = ProductLoader(
            load: { id in
                try await withCancellableCompletion { finish in
                    let request = legacy.product(id) { result in finish(result) }
                    return { request.cancel() }
                }
            }
        )

        #expect(try await loader.loadProduct(withID: "pan").name == "Pan")
    }

    @MainActor @Test func `a completion handler is called once on the main actor`() async throws {
        let loader = ProductLoader(load: { id in Product(id: id, name: "Pan") })
        var names: [String] = []

        let load = loader.loadProduct(withID: "pan") { result in
            names.append((try? result.get().name) ?? "failed")
        }
        await load.value

        #expect(names == ["Pan"])
    }

    @MainActor @Test func `a delegate is called after each change`() async throws {
        let (titles, title) = AsyncStream.makeStream(of: String.self)
        let boots = Product(id: "walking-boots", name: "Walking Boots")
        let screen = ProductViewModel(
            product: boots,
            localUser: LocalUser(currency: "EUR"),
            actions: .only(reload: { Product(id: "walking-boots", name: "Lighter Boots") })
        )
        let delegate = TitleDelegate { title.yield($0) }
        let observer = ProductObserver(screen, delegate: delegate)

        try await screen.reload()

        var shown: [String] = []
        for await title in titles {
            shown.append(title)
            if title == "Lighter Boots" { break }
        }
        #expect(shown.first == "Walking Boots")
        withExtendedLifetime(observer) {}
    }

    @Test func `the services of an app are one value`() async throws {
        let backend = ProductBackend(
            baseURL: shop,
            networking: .closure { request in
                let token = request.value(forHTTPHeaderField: "Authorization") ?? ""
                return try NetworkResponse(json: [Review(id: "1", stars: 4, text: token)])
            }
        )
        let services = AppServices(backend: backend, user: .signedIn("anna") { "demo-token" })
        let (service, product) = (services.products, Product(id: "walking-boots", name: "Boots"))

        let reviews = NetworkRequest<[Review]>.get("products", product.id, "reviews")
        let all = try await service.client.send(reviews)

        #expect(all.map(\.text) == ["Bearer demo-token"])
        #expect(try await services.reviews.send(reviews) == all)
    }
}

/// A client with completion handlers.
struct LegacyShop {
    struct Request: Sendable {
        func cancel() {}
    }

    func product(
        _ id: Product.ID,
        _ completion: @escaping @Sendable (Result<Product, any Error>) -> Void
    ) -> Request {
        completion(.success(Product(id: id, name: "Pan")))
        return Request()
    }
}

extension ProductLoader {
    @MainActor func loadProduct(
        withID id: Product.ID,
        completion: @escaping @MainActor (Result<Product, any Error>) -> Void
    ) -> Task<Void, Never> {
        Task {
            do {
                completion(.success(try await loadProduct(withID: id)))
            } catch {
                completion(.failure(error))
            }
        }
    }
}

@MainActor protocol ProductObserverDelegate: AnyObject {
    func productDidChange(_ screen: ProductViewModel)
}

@MainActor final class ProductObserver {
    private let screen: ProductViewModel
    private weak var delegate: (any ProductObserverDelegate)?

    init(_ screen: ProductViewModel, delegate: any ProductObserverDelegate) {
        self.screen = screen
        self.delegate = delegate
        update()
    }

    private func update() {
        withObservationTracking {
            delegate?.productDidChange(screen)
        } onChange: { [weak self] in
            // The property still has its old value here, and the new one when the task runs.
            Task { await self?.update() }
        }
    }
}

@MainActor private final class TitleDelegate: ProductObserverDelegate {
    private let show: (String) -> Void

    init(_ show: @escaping (String) -> Void) {
        self.show = show
    }

    func productDidChange(_ screen: ProductViewModel) {
        show(screen.title)
    }
}

extension NetworkRequest where Output == [Review] {
    static func reviews(of id: Product.ID) -> NetworkRequest {
        .get("products", id, "reviews")
    }
}

struct AppVersionBehavior {
    let version: String
}

extension AppVersionBehavior: RequestBehavior {
    var additionalHeaders: NetworkHeaders { ["X-App-Version": version] }
}

struct AppServices: Sendable {
    let products: ProductService
    let reviews: NetworkClient

    init(backend: ProductBackend, user: ServiceUser) {
        products = ProductService(
            backend: backend,
            localUser: LocalUser(currency: "EUR"),
            user: user
        )
        reviews = products.client
    }
}
