import ProductKit
import Testing

/// Edits of a favorite that consist of several writes, of which one succeeds but cannot be read.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FavoriteStepsTests {
    private static let unreadable = [
        NetworkError(.unreadable, response: NetworkResponse(statusCode: 201)),
        NetworkError(.incomplete, response: NetworkResponse(statusCode: 200)),
        NetworkError(.tooLarge, response: NetworkResponse(statusCode: 200)),
    ]

    // Rule: favorites/each-write-counts (11)
    @Test(arguments: unreadable)
    func `a creation that cannot be read does not confirm the favorite`(
        failure: NetworkError
    ) async {
        let loader = loader(lists: [], create: { _, _ in throw failure })

        let error = await expectNetworkError(.unexpected) {
            try await loader.setFavoriteStatus(true, forProductWithID: "pan")
        }

        #expect(error.map { Outbox.Disposition($0) } == .retryLater)
        #expect(error?.mayHaveReachedServer == true)
        #expect(Outbox.Disposition(failure) == .confirmed)
    }

    // Rule: favorites/each-write-counts (11)
    @Test(arguments: unreadable, ["1", "2"])
    func `of several removals, only the last one may be unreadable`(
        failure: NetworkError,
        list: ProductList.ID
    ) async {
        let loader = loader(
            lists: ["1", "2"].map {
                ProductList(id: $0, name: "Favorites", products: ["pan"])
            },
            removeProduct: { if $1 == list { throw failure } }
        )

        await expectNetworkError(list == "1" ? .unexpected : failure.code) {
            try await loader.setFavoriteStatus(false, forProductWithID: "pan")
        }
    }

    // Rule: favorites/list-has-the-name (12)
    @Test func `a list that gets another name is an error, and no edit waits for it`() async {
        let loader = loader(
            lists: [],
            create: { id, name in ProductList(id: id, name: name.lowercased()) }
        )

        let error = await expectNetworkError(.rejected) {
            try await loader.setFavoriteStatus(true, forProductWithID: "pan")
        }

        #expect(error?.debugDescription.contains("“favorites”") == true)
        let unnamed = self.loader(lists: [], create: { id, _ in ProductList(id: id, name: "") })
        await #expect(throws: Never.self) {
            try await unnamed.setFavoriteStatus(true, forProductWithID: "pan")
        }
    }

    // Rule: favorites/each-write-counts (11)
    @Test(arguments: [500, 404])
    func `a creation that has failed has its own error`(statusCode: Int) async {
        let failure = NetworkError(NetworkResponse(statusCode: statusCode))
        let incomplete = NetworkError(.incomplete, response: NetworkResponse(statusCode: 503))
        for failure in [failure, incomplete] {
            let loader = loader(lists: [], create: { _, _ in throw failure })
            await expectNetworkError(failure.code) {
                try await loader.setFavoriteStatus(true, forProductWithID: "pan")
            }
        }
    }

    private func loader(
        lists: [ProductList],
        removeProduct: @escaping @Sendable (Product.ID, ProductList.ID) async throws -> Void = {
            _,
            _ in
        },
        create: (@Sendable (ProductList.ID, String) async throws -> ProductList?)? = nil
    ) -> ProductLoader {
        .storingFavorites(
            in: ListManager(
                addProduct: { _, _ in },
                removeProduct: removeProduct,
                lists: { _ in Page(lists) },
                create: create
            )
        )
    }
}
