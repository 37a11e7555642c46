import Adapters
import Foundation
import ProductKit
import Testing

/// A backend with a server in memory, with or without a cache.
///
/// To run the checks against another adapter, add it to ``all``.
struct TestedBackend: Sendable, CustomTestStringConvertible {
    /// The operations that only some backends support.
    struct Features: OptionSet, Sendable {
        let rawValue: Int

        static let favorites = Features(rawValue: 1)
        /// Lists can be created, loaded by identifier, changed and renamed.
        static let lists = Features(rawValue: 2)
        static let allLists = Features(rawValue: 4)
        static let deletion = Features(rawValue: 8)
        /// Lists have versions.
        static let versions = Features(rawValue: 16)
        /// Products are found by their identifiers.
        static let identifiers = Features(rawValue: 32)
        /// Products can be loaded without a token.
        static let guests = Features(rawValue: 64)
        /// The favorites are the products of a list.
        static let favoritesInList = Features(rawValue: 128)
        /// Each write contains the requested state, so it is not preceded by a read and can be sent
        /// again.
        static let idempotentWrites = Features(rawValue: 256)
        /// Responses are stored although the server forbids it.
        static let storesAllReads = Features(rawValue: 512)
    }

    /// The arguments of the function that creates a backend.
    struct Parts {
        let user: String?
        let networking: any Networking
        let cache: ResponseCache?
        let retry: RetryBehavior
    }

    let name: String
    let features: Features
    let handler: FakeShop.Handler
    /// Returns the response of the vendor for a failure with a status code.
    let failure: @Sendable (Int) -> NetworkResponse
    let make: @Sendable (Parts) -> ProductBackend
    var hasCache = false

    var hasIdempotentWrites: Bool { features.contains(.idempotentWrites) }

    var testDescription: String { hasCache ? "\(name), with a cache" : name }

    /// The backends, each with and without a cache.
    static let all = [
        wooCommerce, commercetools, shopify, django, contract, contractWithoutBodies,
    ].flatMap { backend in
        var cached = backend
        cached.hasCache = true
        return [backend, cached]
    }

    /// The backends with a cache.
    static let cached = all.filter(\.hasCache)

    /// Returns the backends that support some operations.
    static func supporting(_ features: Features) -> [TestedBackend] {
        all.filter { $0.features.isSuperset(of: features) }
    }

    /// Returns the backends that do not support an operation.
    static func lacking(_ feature: Features) -> [TestedBackend] {
        all.filter { !$0.features.contains(feature) }
    }
}

extension TestedBackend {
    static let wooCommerce = TestedBackend(
        name: "WooCommerce",
        features: [.favorites, .favoritesInList, .identifiers, .guests, .storesAllReads],
        handler: WooCommerceServer.response,
        failure: WooCommerceServer.failure
    ) { parts in
        .wooCommerce(
            at: .store,
            favoritesList: "saved-for-later",
            networking: parts.networking,
            cache: parts.cache,
            retry: parts.retry
        )
    }

    static let commercetools = TestedBackend(
        name: "commercetools",
        features: [
            .favorites, .favoritesInList, .lists, .allLists, .deletion, .versions, .identifiers,
            .guests,
        ],
        handler: CommercetoolsServer.response,
        failure: CommercetoolsServer.failure
    ) { parts in
        .commercetools(
            at: .store,
            networking: parts.networking,
            cache: parts.cache,
            retry: parts.retry
        )
    }

    static let shopify = TestedBackend(
        name: "Shopify",
        features: [.favorites, .favoritesInList, .lists, .identifiers, .guests],
        handler: ShopifyServer.response,
        failure: ShopifyServer.failure
    ) { parts in
        .shopify(
            at: .store,
            favoritesIn: parts.user.map(Shopper.favoritesCart),
            networking: parts.networking,
            cache: parts.cache,
            retry: parts.retry
        )
    }
}

extension TestedBackend {
    static let django = TestedBackend(
        name: "Django REST framework",
        features: [.favorites, .favoritesInList, .lists, .allLists, .deletion, .guests],
        handler: DjangoServer.response,
        failure: DjangoServer.failure
    ) { parts in
        .django(
            at: .store,
            networking: parts.networking,
            cache: parts.cache,
            retry: parts.retry
        )
    }
}

extension TestedBackend {
    /// The API that the library implements without an adapter.
    static let contract = contract(
        named: "The default contract",
        handler: ContractServer.response
    )

    /// The same API, whose server returns no product after a favorite was set.
    static let contractWithoutBodies = contract(
        named: "The default contract without bodies",
        handler: ContractServer.responseWithoutBody
    )

    private static func contract(
        named name: String,
        handler: @escaping FakeShop.Handler
    ) -> TestedBackend {
        TestedBackend(
            name: name,
            features: [
                .favorites, .lists, .allLists, .deletion, .versions, .identifiers,
                .idempotentWrites,
            ],
            handler: handler,
            failure: ContractServer.failure
        ) { parts in
            ProductBackend(
                baseURL: .store,
                networking: parts.networking,
                cache: parts.cache,
                retry: parts.retry
            )
        }
    }
}

/// A user of a backend, who is signed in or a guest.
struct Shopper {
    let backend: TestedBackend
    let shop: FakeShop
    let cache: ResponseCache?
    let service: ProductService

    var loader: ProductLoader { service.loader }
    var lists: ListManager { service.listManager }

    /// Creates the first user of a new shop, whose device stores responses in memory or in a folder.
    init(_ backend: TestedBackend, user: String? = "ann", folder: URL? = nil) {
        let shop = FakeShop(handler: backend.handler)
        // The users of the API without lists of its own, which the app has created for them.
        shop.content.lists = ["ann", "bob"].map { user in
            FakeShop.List(id: Self.favoritesCart(of: user).rawValue, owner: nil)
        }
        let cache = backend.hasCache ? ResponseCache(directory: folder) : nil
        self.init(backend, shop, cache, user)
    }

    private init(
        _ backend: TestedBackend,
        _ shop: FakeShop,
        _ cache: ResponseCache?,
        _ user: String?
    ) {
        self.backend = backend
        self.shop = shop
        self.cache = cache
        let parts = TestedBackend.Parts(
            user: user,
            networking: shop.networking,
            cache: cache,
            retry: RetryBehavior(attempts: 2, effects: SystemEffects(sleep: { _ in }))
        )
        service = ProductService(
            backend: backend.make(parts),
            localUser: LocalUser(currency: "EUR"),
            user: user.map { user in .signedIn(user) { user } } ?? .guest
        )
    }

    /// Returns another session on the same device: the shop and the cache are the same.
    func session(of user: String?) -> Shopper {
        Shopper(backend, shop, cache, user)
    }

    /// Returns a session of the next process, which opens the folder of the cache.
    func nextProcess(_ folder: URL, user: String? = "ann") -> Shopper {
        cache?.flush()
        return Shopper(backend, shop, ResponseCache(directory: folder), user)
    }

    /// The cart that stores the favorites of a user, where the API cannot list carts.
    static func favoritesCart(of user: String) -> ProductList.ID {
        ProductList.ID("gid://shopify/Cart/favorites-\(user)?key=1")
    }
}

/// Calls a closure with a folder that does not exist yet, and removes it afterwards.
func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}
