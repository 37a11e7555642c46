public import Foundation

extension ProductLoader {
    /// Creates a loader that speaks `Docs/openapi.yaml` over a client.
    public init(client: NetworkClient) {
        self.init(
            fetch: { id, policy in try await client.fetchProduct(id, policy: policy) },
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
                return try await client.page(request, after: cursor)
            },
            favorites: { cursor in
                let request = NetworkRequest<Page<Product>>.get(
                    "favorites",
                    query: ["cursor": cursor?.rawValue]
                )
                return try await client.page(request, after: cursor)
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
                return try await client.fetchProduct(id, policy: .revalidate).value
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

extension NetworkClient {
    /// Loads a product; a stored answer that there is none is never believed.
    fileprivate func fetchProduct(
        _ id: Product.ID,
        policy: FetchPolicy
    ) async throws -> Fetched<Product> {
        try await throwingNotFound(id) {
            do {
                let request = NetworkRequest<Product>.get("products", id)
                return try await send(request.fetching(policy).fetched)
            } catch let error as NetworkError where error.code == .notFound {
                switch error.source {
                case let source? where source.code == .staleIfError: throw source.failure ?? error
                case let source? where !source.isFromServer && policy == .cacheOnly:
                    throw NetworkError(.notCached)
                case let source? where !source.isFromServer:
                    return try await fetchProduct(id, policy: .reload)
                default: throw error
                }
            }
        }
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

extension NetworkClient {
    /// Loads a page by the server's word or, when that cannot be had, as it is stored.
    func page<Element>(
        _ request: NetworkRequest<Page<Element>>,
        after cursor: PageCursor?
    ) async throws -> Page<Element> {
        try await send(request.following(cursor, from: baseURL).fetching(.networkFirst))
    }
}
