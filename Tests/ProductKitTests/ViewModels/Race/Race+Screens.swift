import Foundation
import ProductKit

// The screens, and the cache between them and the server.
extension Race {
    /// A screen, for the favorite status or for the membership in a list.
    struct Screen {
        let value: () -> Bool
        let isDeleted: () -> Bool
        let toggle: () async throws -> Void
        let reload: () async throws -> Void
    }

    func productScreen() -> Screen {
        let actions: ProductViewModel.Actions =
            configuration.hasCache
            ? ProductViewModel.Actions(
                productID: Product.boots.id,
                loader: loader,
                listManager: ListManager(addProduct: { _, _ in })
            )
            : .only(
                reload: { [unowned self] in try await suspend(nil) },
                toggleFavorite: { [unowned self] isFavorite in try await suspend(isFavorite) }
            )
        return screen(of: ProductViewModel(actions, store: store))
    }

    /// A product screen that is opened with a stored product.
    func productScreen(showing product: Product, from source: FetchSource) -> Screen {
        screen(
            of: ProductViewModel(
                product: product,
                from: source,
                localUser: .shopper,
                actions: .only(),
                store: store
            )
        )
    }

    private func screen(of viewModel: ProductViewModel) -> Screen {
        Screen(
            value: { viewModel.isFavorite },
            isDeleted: { viewModel.phase == .deleted },
            toggle: { try await viewModel.toggleProductFavoriteStatus() },
            reload: { try await viewModel.reload() }
        )
    }

    func membershipScreen() -> Screen {
        let viewModel = ListMembershipViewModel(
            product: .boots,
            lists: [.wishlist],
            actions: .only(
                loadLists: { [unowned self] in
                    Page([.wishlist(holdingBoots: try await suspend(nil).isFavorite)])
                },
                addToList: { [unowned self] _ in _ = try await suspend(true) },
                removeFromList: { [unowned self] _ in _ = try await suspend(false) }
            ),
            store: store
        )
        return Screen(
            value: { viewModel.rows.first?.holdsProduct ?? false },
            isDeleted: { false },
            toggle: { try await viewModel.toggleMembership(inListWithID: "wishlist") },
            reload: { try await viewModel.reload() }
        )
    }

    /// A live loader with a cache, whose requests are suspended like those of the other screens.
    func makeLoader() -> ProductLoader {
        let caching = CachingBehavior(
            partition: { "" },
            related: OpenAPIContract.relatedURLs(baseURL: .api),
            effects: SystemEffects(now: { Date(timeIntervalSince1970: 1_000) })
        )
        return ProductLoader(
            client: NetworkClient(
                baseURL: .api,
                networking: .closure { [weak self] request in
                    guard let race = self else { throw CancellationError() }
                    return try await race.response(to: request)
                },
                behaviors: [caching]
            )
        )
    }

    /// The response of the server: the product, or status code 304 to a conditional request.
    private func response(to request: URLRequest) async throws -> NetworkResponse {
        let values = ["PUT": true, "DELETE": false]
        let product = try await suspend(values[request.httpMethod ?? "GET"])
        let response = try NetworkResponse.boots(product, to: request)
        if response.statusCode == 304 { confirmations += 1 }
        return response
    }
}
