import ProductKit

extension ProductService {
    /// Creates a service of the contract `Docs/openapi.yaml`, with a backend of its own.
    static func contract(
        localUser: LocalUser = .shopper,
        user: ServiceUser = .guest,
        networking: any Networking,
        behaviors: [any RequestBehavior] = [],
        cache: ResponseCache? = nil,
        outbox: Outbox? = nil,
        retry: RetryBehavior = RetryBehavior(),
        effects: SystemEffects = SystemEffects()
    ) -> ProductService {
        let backend = ProductBackend(
            baseURL: .api,
            networking: networking,
            behaviors: behaviors,
            cache: cache,
            retry: retry,
            effects: effects
        )
        return ProductService(backend: backend, localUser: localUser, user: user, outbox: outbox)
    }

    /// Creates a service of the contract that sends its requests with a client, each once.
    static func contract(
        client: NetworkClient,
        effects: SystemEffects = SystemEffects()
    ) -> ProductService {
        let backend = ProductBackend(
            client: client,
            retry: RetryBehavior(attempts: 1),
            effects: effects,
            loader: { ProductLoader(client: $0) },
            listManager: { ListManager(client: $0) }
        )
        return ProductService(backend: backend, localUser: .shopper, user: .guest)
    }
}

extension ProductBackend {
    /// A backend of the contract that sends its requests with a client.
    static func contract(client: NetworkClient) -> ProductBackend {
        ProductBackend(
            client: client,
            loader: { ProductLoader(client: $0) },
            listManager: { ListManager(client: $0) }
        )
    }

    func service(of user: ServiceUser) -> ProductService {
        ProductService(backend: self, localUser: .shopper, user: user)
    }

    /// Creates a service of a user whose token is their name.
    func service(of user: String) -> ProductService {
        service(of: .signedIn(user) { user })
    }
}

extension ProductService {
    /// Loads the boots from the server.
    @discardableResult func loadBoots() async throws -> Product {
        try await loader.loadProduct(withID: "walking-boots")
    }

    @discardableResult func fetchBoots(
        policy: FetchPolicy = .standard
    ) async throws -> Fetched<Product> {
        try await loader.fetchProduct(withID: "walking-boots", policy: policy)
    }

    /// Sends an edit of a list.
    func edit() async throws {
        try await listManager.addProduct(withID: "a", toListWithID: "b")
    }
}
