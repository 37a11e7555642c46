import Foundation
import ProductKit
import Testing

/// Products of which a member could not be decoded, on screens that show the product already.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct UndecodedMemberTests {
    private static let known = Product(
        id: "boots",
        name: "Boots",
        description: "Warm",
        images: [URL.api],
        url: .api,
        isAvailable: true,
        isFavorite: true,
        updatedAt: .distantPast,
        attributes: ["size": "42"]
    )
    private nonisolated static let members = #"""
        "description": 4, "images": 5, "url": 5, "isAvailable": 1, "isFavorite": 0, "updatedAt": 7,
        "attributes": 3
        """#

    // Rule: json/invalid-member-is-reported (16)
    @Test(arguments: [true, false])
    func `a product that is reloaded or opened keeps the members that it could not decode`(
        isReload: Bool
    ) async throws {
        let service = Self.service(Self.members)
        let screen = service.viewModel(for: Self.known)

        if isReload {
            try await screen.reload()
        } else {
            _ = try await service.viewModel(forProductWithID: "boots")
        }

        #expect(screen.product == Self.known.with { $0.name = "Better boots" })
        #expect(screen.phase == (isReload ? .loaded : .idle))
    }

    // Rule: json/invalid-member-is-reported (16)
    @Test(arguments: [true, false])
    func `a confirmed status is not replaced by one that could not be decoded`(
        status: Bool
    ) async throws {
        let viewModel = Self.service(Self.members)
            .viewModel(for: Self.known.with { $0.isFavorite = !status })

        try await viewModel.toggleProductFavoriteStatus()

        #expect(viewModel.isFavorite == status && viewModel.title == "Better boots")
    }

    // Rule: screen/newer-product-ends-failure (69)
    @Test func `a toggle that loads a product with an invalid member ends a failure`() async throws
    {
        let loader = Self.loader(#""url": 5"#)
        let viewModel = ProductViewModel(
            .only(
                reload: { throw Offline() },
                toggleFavorite: { status in
                    try await loader.setFavoriteStatus(status, forProductWithID: "boots")
                }
            ),
            product: Self.known
        )
        await #expect(throws: Offline()) { try await viewModel.reload() }

        try await viewModel.toggleProductFavoriteStatus()

        #expect(viewModel.title == "Better boots" && viewModel.phase == .loaded)
        #expect(viewModel.lastError == nil && viewModel.product.url == Self.known.url)
    }

    // Rule: json/invalid-member-is-reported (16)
    @Test func `an absent member of a product that was loaded by itself has no value`()
        async throws
    {
        let viewModel = ProductViewModel(
            .only(reload: { try await Self.loader(#""url": 5"#).loadProduct(withID: "boots") }),
            product: Self.known
        )

        try await viewModel.reload()

        #expect(viewModel.product.description == nil && !viewModel.isFavorite)
        #expect(viewModel.product.url == Self.known.url)
    }

    // Rule: json/invalid-member-is-reported (16)
    @Test func `favorites in a list do not depend on a status that could not be decoded`()
        async throws
    {
        let lists = ListManager(
            addProduct: { _, _ in },
            lists: { _ in Page([ProductList(id: "1", name: "Favorites", products: [])]) }
        )
        let loader = Self.loader(Self.members).storingFavorites(inListNamed: "Favorites", of: lists)

        let product = try await loader.loadProduct(withID: "boots")

        #expect(!product.unknownMembers.contains(.isFavorite))
        #expect(product.unknownMembers.contains(.url))
    }

    private nonisolated static func loader(_ members: String) -> ProductLoader {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                guard request.httpMethod == "GET" else { return NetworkResponse(statusCode: 204) }
                return .json(#"{"id": "boots", "name": "Better boots", \#(members)}"#)
            }
        )
        return ProductLoader(client: client)
    }

    private static func service(_ members: String) -> ProductService {
        ProductService(
            loader: loader(members),
            listManager: .only(),
            localUser: LocalUser(currency: "EUR")
        )
    }
}
