public import Foundation

extension ProductLoader {
    /// Creates a loader for a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// For another backend, use the initializers that take closures.
    ///
    /// - Parameter client: Sends the requests, below its base URL.
    public init(client: NetworkClient) {
        self.init(
            load: { id in
                try await throwingNotFound(id) { try await client.send(.get("products", id)) }
            },
            search: { query, cursor in
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
            },
            favorites: { cursor in
                let request = NetworkRequest<Page<Product>>.get(
                    "favorites",
                    query: ["cursor": cursor?.rawValue]
                )
                return try await client.send(request.following(cursor))
            },
            setFavorite: { id, isFavorite in
                let request = NetworkRequest<Product?>(
                    method: isFavorite ? "PUT" : "DELETE",
                    segments: ["favorites", id.rawValue],
                    headers: ["Accept": "application/json"]
                ) { response in
                    response.body.isEmpty ? nil : try response.json()
                }
                return try await throwingNotFound(id) { try await client.send(request) }
            }
        )
    }

    /// Creates a loader for a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// A ``ProductService`` adds tokens, retries and a cache. This initializer adds only what
    /// `behaviors` contains.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the API, such as `https://api.example.com/v1`.
    ///   - networking: Sends the requests; the shared ``SystemTransport`` by default.
    ///   - behaviors: The behaviors of every request, the outermost first; none by default.
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

private func throwingNotFound<Value>(
    _ id: Product.ID,
    _ send: () async throws -> Value
) async throws -> Value {
    do {
        return try await send()
    } catch let error as NetworkError where error.code == .notFound {
        throw ProductError.notFound(id)
    }
}
