public import Foundation

/// Everything wired: a loader, a list manager, and the view models that use them.
///
/// ```swift
/// let user = LocalUser(currency: "EUR")
/// let service = ProductService(baseURL: api, localUser: user) { token }
/// let viewModel = service.viewModel(for: boots)
/// ```
public struct ProductService: Sendable {
    /// Loads products and marks favourites.
    public let loader: ProductLoader
    /// Reads and changes lists.
    public let listManager: ListManager
    /// Lets all screens of one product agree; reset it when the user signs out.
    public let store: ProductStore
    /// Whose currency and locale screens use.
    public var localUser: LocalUser

    /// Wires a service over an API that speaks `Docs/openapi.yaml`.
    ///
    /// Equal loads at the same time share one request, and what may be repeated is repeated when the
    /// network or the server fails; see ``CoalescingBehavior`` and ``RetryBehavior``. One service
    /// belongs to one user: make another one when somebody else signs in.
    ///
    /// - Parameters:
    ///   - baseURL: Where the API lives, such as `https://api.example.com/v1`.
    ///   - localUser: Whose currency and locale screens use; the API is told the language.
    ///   - networking: What carries the requests.
    ///   - behaviors: What happens around every request, the outermost first, outside of all that is
    ///     named here.
    ///   - token: The token that signs requests, asked for at each of them; `nil` sends a request
    ///     unsigned.
    public init(
        baseURL: URL,
        localUser: LocalUser,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        token: @escaping @Sendable () async throws -> String? = { nil }
    ) {
        let language: NetworkHeaders =
            localUser.locale.languageTag.map { ["Accept-Language": $0] } ?? [:]
        let own: [any RequestBehavior] = [
            ClosureBehavior(additionalHeaders: { language }),
            CoalescingBehavior(),
            RetryBehavior(),
            TokenBehavior(token: token),
        ]
        self.init(
            client: NetworkClient(
                baseURL: baseURL,
                networking: networking,
                behaviors: behaviors + own
            ),
            localUser: localUser
        )
    }

    /// Wires a service over a client that speaks `Docs/openapi.yaml`, with the client's behaviours
    /// alone.
    ///
    /// - Parameters:
    ///   - client: What sends the requests.
    ///   - localUser: Whose currency and locale screens use.
    public init(client: NetworkClient, localUser: LocalUser) {
        self.init(
            loader: ProductLoader(client: client),
            listManager: ListManager(client: client),
            localUser: localUser
        )
    }

    /// Wires a service over any backend.
    ///
    /// - Parameters:
    ///   - loader: Loads products and marks favourites.
    ///   - listManager: Reads and changes lists.
    ///   - localUser: Whose currency and locale screens use.
    public init(loader: ProductLoader, listManager: ListManager, localUser: LocalUser) {
        self.loader = loader
        self.listManager = listManager
        self.localUser = localUser
        store = ProductStore()
    }

    /// Makes a view model for a product that is known already, such as a row of a list.
    ///
    /// - Parameters:
    ///   - product: What to show until something newer is known.
    ///   - localUser: Whose currency and locale to use; the service's own by default.
    /// - Returns: A view model that agrees with every other one of this product.
    @MainActor public func viewModel(
        for product: Product,
        localUser: LocalUser? = nil
    ) -> ProductViewModel {
        ProductViewModel(
            product: product,
            localUser: localUser ?? self.localUser,
            actions: ProductViewModel.Actions(
                productID: product.id,
                loader: loader,
                listManager: listManager
            ),
            store: store
        )
    }

    /// Loads a product and makes a view model for it, as for a link into the app.
    ///
    /// - Parameters:
    ///   - id: The product's identity.
    ///   - localUser: Whose currency and locale to use; the service's own by default.
    /// - Returns: A view model that agrees with every other one of this product.
    /// - Throws: ``ProductError/notFound(_:)`` when there is no such product, `CancellationError`
    ///   when you stopped waiting or the store was reset, ``NetworkError`` when no usable answer came.
    @MainActor public func viewModel(
        forProductWithID id: Product.ID,
        localUser: LocalUser? = nil
    ) async throws -> ProductViewModel {
        let resets = store.resets
        let product = try await loader.loadProduct(withID: id)
        guard store.resets == resets else { throw CancellationError() }
        return viewModel(for: product, localUser: localUser)
    }

    /// Makes a view model for the user's lists and whether they hold a product.
    ///
    /// - Parameter product: The product whose places in lists are shown.
    /// - Returns: A view model that agrees with every other one of this product.
    @MainActor public func membershipViewModel(for product: Product) -> ListMembershipViewModel {
        ListMembershipViewModel(
            product: product,
            actions: ListMembershipViewModel.Actions(
                productID: product.id,
                listManager: listManager
            ),
            store: store
        )
    }

    /// Makes a view model for the catalogue, which shows nothing until it is told to search.
    ///
    /// - Parameter localUser: Whose currency and locale to use; the service's own by default.
    /// - Returns: A view model whose rows agree with the screens of their products.
    @MainActor public func listViewModel(localUser: LocalUser? = nil) -> ProductListViewModel {
        ProductListViewModel(
            localUser: localUser ?? self.localUser,
            actions: ProductListViewModel.Actions(loader: loader),
            store: store
        )
    }
}

extension Locale {
    /// The language as a tag (RFC 5646), without what is no language: the currency, the calendar.
    fileprivate var languageTag: String? {
        // Made anew from its name: the system's current locale writes no proper tag on Linux.
        let tag = Locale(identifier: identifier).identifier(.bcp47)
        let language = tag.prefix(upTo: tag.range(of: "-u-")?.lowerBound ?? tag.endIndex)
        return ["", "und"].contains(language) ? nil : String(language)
    }
}
