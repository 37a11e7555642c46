public import Foundation

extension ProductLoader {
    /// Creates a loader that speaks `Docs/openapi.yaml` over a client.
    public init(client: NetworkClient) {
        let load: @Sendable (Product.ID) async throws -> Product = { id in
            try await throwingNotFound(id) { try await client.send(.get("products", id)) }
        }
        self.init(
            load: load,
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
                return try await client.send(
                    request.following(cursor, from: client.baseURL)
                )
            },
            favorites: { cursor in
                let request = NetworkRequest<Page<Product>>.get(
                    "favorites",
                    query: ["cursor": cursor?.rawValue]
                )
                return try await client.send(
                    request.following(cursor, from: client.baseURL)
                )
            },
            setFavorite: { id, isFavorite in
                let request = NetworkRequest<Product?>(
                    method: isFavorite ? "PUT" : "DELETE",
                    segments: ["favorites", id.rawValue],
                    headers: ["Accept": "application/json"]
                ) { response in
                    response.statusCode == 204 ? nil : try response.json()
                }
                let product = try await throwingNotFound(id) { try await client.send(request) }
                if let product { return product }
                return try await load(id)
            }
        )
    }

    /// Creates a loader that speaks `Docs/openapi.yaml` straight from the seam.
    ///
    /// - Parameters:
    ///   - baseURL: Where the API lives, such as `https://api.example.com/v1`.
    ///   - networking: What carries the requests.
    public init(baseURL: URL, networking: any Networking = .system) {
        self.init(client: NetworkClient(baseURL: baseURL, networking: networking))
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
