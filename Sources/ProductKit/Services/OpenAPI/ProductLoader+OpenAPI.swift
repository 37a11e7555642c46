public import Foundation

extension ProductLoader {
    /// Creates a loader for a backend that implements the contract `Docs/openapi.yaml`.
    ///
    /// For another backend, use the initializers that take closures.
    ///
    /// - Parameter client: Sends the requests, below its base URL.
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
                    response.body.isEmpty ? nil : try response.json()
                }
                return try await throwingNotFound(id) { try await client.send(request) }
            }
        )
    }

    /// Creates a loader for a backend that implements the contract `Docs/openapi.yaml`, without
    /// behaviors.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the API, such as `https://api.example.com/v1`.
    ///   - networking: Sends the requests; the shared ``SystemTransport`` by default.
    public init(baseURL: URL, networking: any Networking = .system) {
        self.init(client: NetworkClient(baseURL: baseURL, networking: networking))
    }
}

extension NetworkClient {
    /// Loads a product.
    ///
    /// Only the server can report that a product does not exist. If a cached response is “not
    /// found”, also with a web page, the product is loaded from the server, unless the policy
    /// forbids it.
    fileprivate func fetchProduct(
        _ id: Product.ID,
        policy: FetchPolicy
    ) async throws -> Fetched<Product> {
        try await throwingNotFound(id) {
            do {
                let request = NetworkRequest<Product>.get("products", id)
                return try await send(request.fetching(policy).fetched)
            } catch let error as NetworkError
                where [.notFound, .unexpected].contains(error.code)
            {
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
    /// Loads a page from the network, or from the cache if that fails.
    func page<Element>(
        _ request: NetworkRequest<Page<Element>>,
        after cursor: PageCursor?
    ) async throws -> Page<Element> {
        try await send(request.following(cursor, from: baseURL).fetching(.networkFirst))
    }
}
