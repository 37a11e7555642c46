public import Foundation

extension ProductLoader {
    /// Creates a loader for a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// For another backend, use the initializers that take closures.
    ///
    /// - Parameter client: Sends the requests, below its base URL.
    public init(client: NetworkClient) {
        let contract = ProductContract(client: client)
        self.init(
            load: contract.load,
            search: contract.search,
            favorites: contract.favorites,
            setFavorite: contract.setFavorite
        )
    }

    /// Creates a loader for a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// Its ``NetworkClient`` has only these behaviors; a ``ProductService`` adds tokens, retries and a cache.
    public init(
        baseURL: URL,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = []
    ) {
        self.init(
            client: NetworkClient(baseURL: baseURL, networking: networking, behaviors: behaviors)
        )
    }
}

/// The contract's operations on products, a class so that all closures of a loader share one client.
private final class ProductContract: Sendable {
    private let client: NetworkClient

    init(client: NetworkClient) {
        self.client = client
    }

    @Sendable func load(_ id: Product.ID) async throws -> Product {
        try await NetworkError.replacingNotFound(by: ProductError.notFound(id)) {
            try await client.send(.get("products", id))
        }
    }

    @Sendable func search(
        _ query: ProductQuery,
        after cursor: PageCursor?
    ) async throws -> Page<Product> {
        var request = NetworkRequest<Page<Product>>.get(
            "products",
            query: [
                "q": query.text.isEmpty ? nil : query.text,
                "cursor": cursor?.rawValue,
                "limit": query.limit?.description,
            ]
        )
        request.query += query.ids.map { URLQueryItem(name: "ids", value: $0.rawValue) }
        return try await client.send(request.following(cursor))
    }

    @Sendable func favorites(after cursor: PageCursor?) async throws -> Page<Product> {
        let query: KeyValuePairs = ["cursor": cursor?.rawValue]
        return try await client.send(.get("favorites", query: query).following(cursor))
    }

    @Sendable func setFavorite(_ id: Product.ID, to isFavorite: Bool) async throws -> Product? {
        let request = NetworkRequest<Product?>(
            method: isFavorite ? "PUT" : "DELETE",
            segments: ["favorites", id.rawValue],
            headers: ["Accept": "application/json"]
        ) { response in
            response.body.isEmpty ? nil : try response.json()
        }
        return try await NetworkError.replacingNotFound(by: ProductError.notFound(id)) {
            try await client.send(request)
        }
    }
}
