import Observation
import ProductKit
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct ObservationTests {
    // Rule 51
    @Test func `a change of the flag leaves readers of the content alone`() async throws {
        let viewModel = ProductViewModel(
            .only(reload: { .favoriteBoots }, toggleFavorite: { _ in .boots })
        )

        try await confirmation(expectedCount: 0) { changed in
            watch({ _ = (viewModel.title, viewModel.detailText, viewModel.price) }) { changed() }
            try await viewModel.reload()
            #expect(viewModel.isFavorite)
            try await viewModel.toggleProductFavoriteStatus()
            #expect(!viewModel.isFavorite)
        }
    }

    // Rule 51
    @Test func `a change of the content leaves readers of the flag alone`() async throws {
        let viewModel = ProductViewModel(.only(reload: { .boots(named: "New") }))

        try await confirmation(expectedCount: 0) { changed in
            watch({ _ = viewModel.isFavorite }) { changed() }
            try await viewModel.reload()
            #expect(viewModel.title == "New")
        }
    }

    // Rule 51
    @Test func `a change of the content reaches its readers once`() async throws {
        let viewModel = ProductViewModel(.only(reload: { .boots(named: "New") }))

        try await confirmation(expectedCount: 1) { changed in
            watch({ _ = (viewModel.title, viewModel.detailText, viewModel.price) }) { changed() }
            try await viewModel.reload()
            #expect(viewModel.title == "New")
        }
    }

    // Rule 52
    @Test func `an answer equal to what is shown invalidates nobody`() async throws {
        let viewModel = ProductViewModel(
            .only(reload: { .favoriteBoots }, toggleFavorite: { _ in .favoriteBoots }),
            product: .favoriteBoots
        )
        try await viewModel.reload()

        try await confirmation(expectedCount: 0) { changed in
            watch({ _ = (viewModel.product, viewModel.images, viewModel.lastError) }) { changed() }
            try await viewModel.reload()
        }
    }

    // Rule 52
    @Test func `not found again invalidates nobody who reads the product`() async throws {
        let gone = ProductError.notFound("walking-boots")
        let store = ProductStore()
        let reloading = ProductViewModel(.only(reload: { throw gone }), store: store)
        let watched = ProductViewModel(.only(), store: store)
        await #expect(throws: gone) { try await reloading.reload() }

        await confirmation(expectedCount: 0) { changed in
            watch({ _ = (watched.product, watched.phase) }) { changed() }
            await #expect(throws: gone) { try await reloading.reload() }
        }
    }

    // Rule 53
    @Test func `loading and failing leave readers of the title alone`() async throws {
        let viewModel = ProductViewModel(
            .only(reload: { throw Offline() }, addToList: { _ in throw Offline() })
        )

        await confirmation(expectedCount: 0) { changed in
            watch({ _ = (viewModel.title, viewModel.isFavorite) }) { changed() }
            await #expect(throws: Offline()) { try await viewModel.reload() }
            await #expect(throws: Offline()) {
                try await viewModel.addProductToList(withID: "wishlist")
            }
        }
    }

    // Rule 53
    @Test func `readers of the phase are told of loading and its end`() async throws {
        let viewModel = ProductViewModel(.only(reload: { .boots }))

        try await confirmation(expectedCount: 2...) { changed in
            watch({ _ = viewModel.phase }) { changed() }
            try await viewModel.reload()
        }

        #expect(viewModel.phase == .loaded)
    }

    // Rule 54
    @Test func `a successful toggle invalidates readers of the flag once`() async throws {
        let viewModel = ProductViewModel(.only(toggleFavorite: { _ in .favoriteBoots }))

        try await confirmation(expectedCount: 1) { changed in
            watch({ _ = viewModel.isFavorite }) { changed() }
            try await viewModel.toggleProductFavoriteStatus()
        }
    }

    // Rules 30 and 54
    @Test func `taps that need no call of their own invalidate once each`() async throws {
        var held: [CheckedContinuation<Void, any Error>] = []
        let viewModel = ProductViewModel(
            .only(toggleFavorite: { _ in
                try await withCheckedThrowingContinuation { held.append($0) }
                return .favoriteBoots
            })
        )

        try await confirmation(expectedCount: 3) { changed in
            watch({ _ = viewModel.isFavorite }) { changed() }
            var toggles: [Task<Void, any Error>] = []
            for _ in 1...3 {
                toggles.append(await started { try await viewModel.toggleProductFavoriteStatus() })
            }
            try held.answer(())
            for toggle in toggles { try await toggle.value }
        }
    }

    // Rule 55
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `observations yield the first value and each change`() async throws {
        var names = ["Second", "Third"]
        let viewModel = ProductViewModel(.only(reload: { .boots(named: names.removeFirst()) }))
        var seen: [String] = []

        for await title in Observations({ viewModel.title }) {
            seen.append(title)
            if names.isEmpty { break }
            try await viewModel.reload()
        }

        #expect(seen == ["Walking Boots", "Second", "Third"])
    }

    /// Calls `change` each time when something that `read` reads is about to change.
    private func watch(
        _ read: @escaping @MainActor () -> Void,
        _ change: @escaping @Sendable () -> Void
    ) {
        withObservationTracking(read) {
            change()
            MainActor.assumeIsolated { watch(read, change) }
        }
    }
}
