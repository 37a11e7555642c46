import Foundation
import ProductKit
import Testing

/// The code of “Migrating to ProductKit”.
@Suite(.timeLimit(.minutes(5))) struct MigrationSamples {
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

    @Test func `the services of an app are one value`() async throws {
        let services = AppServices(
            shop: shop,
            user: LocalUser(currency: "EUR"),
            networking: .closure { request in
                let token = request.value(forHTTPHeaderField: "Authorization") ?? ""
                return try NetworkResponse(json: [Review(id: "1", stars: 4, text: token)])
            },
            token: { "demo-token" }
        )

        let reviews = try await services.reviews.send(.reviews(of: "walking-boots"))

        #expect(reviews.map(\.text) == ["Bearer demo-token"])
    }
}

extension NetworkRequest where Output == [Review] {
    static func reviews(of id: Product.ID) -> NetworkRequest {
        .get("products", id, "reviews")
    }
}

struct AppVersionBehavior: RequestBehavior {
    let version: String

    var additionalHeaders: NetworkHeaders { ["X-App-Version": version] }
}

struct AppServices: Sendable {
    let products: ProductService
    let reviews: NetworkClient

    init(
        shop: URL,
        user: LocalUser,
        networking: any Networking = .system,
        token: @escaping @Sendable () async throws -> String?
    ) {
        products = ProductService(
            baseURL: shop,
            localUser: user,
            networking: networking,
            token: token
        )
        reviews = NetworkClient(
            baseURL: shop,
            networking: networking,
            behaviors: [RetryBehavior(), TokenBehavior(token: token)]
        )
    }
}
