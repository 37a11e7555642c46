import ProductKit

// What is tapped on.
extension Race {
    /// A screen, whatever is tapped on it.
    struct Screen {
        let isOn: () -> Bool
        let isDeleted: () -> Bool
        let tap: () async throws -> Void
        let reload: () async throws -> Void
    }

    func starScreen(in store: ProductStore) -> Screen {
        let viewModel = ProductViewModel(
            rules.isCached
                ? ProductViewModel.Actions(
                    productID: Product.boots.id,
                    loader: loader,
                    listManager: ListManager(addProduct: { _, _ in })
                )
                : .only(
                    reload: { [unowned self] in try await hold(nil) },
                    toggleFavorite: { [unowned self] isFavorite in try await hold(isFavorite) }
                ),
            store: store
        )
        return screen(of: viewModel)
    }

    func screen(of viewModel: ProductViewModel) -> Screen {
        Screen(
            isOn: { viewModel.isFavorite },
            isDeleted: { viewModel.phase == .deleted },
            tap: { try await viewModel.toggleProductFavoriteStatus() },
            reload: { try await viewModel.reload() }
        )
    }

    func listScreen(in store: ProductStore) -> Screen {
        let viewModel = ListMembershipViewModel(
            product: .boots,
            lists: [.wishlist],
            actions: .only(
                loadLists: { [unowned self] in
                    Page([.wishlist(holdingBoots: try await hold(nil).isFavorite)])
                },
                addToList: { [unowned self] _ in _ = try await hold(true) },
                removeFromList: { [unowned self] _ in _ = try await hold(false) }
            ),
            store: store
        )
        return Screen(
            isOn: { viewModel.rows.first?.holdsProduct ?? false },
            isDeleted: { false },
            tap: { try await viewModel.toggleMembership(inListWithID: "wishlist") },
            reload: { try await viewModel.reload() }
        )
    }
}
