import Foundation
import Observation
import ProductKit
import Synchronization
import Testing

/// The code of “Why closures”.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WhyClosuresSamples {
    private let boots: Product.ID = "walking-boots"

    @MainActor @Test func `a review that was sent is shown`() async throws {
        var sent: [Review] = []
        let screen = ReviewsViewModel(actions: .only(submit: { sent.append($0) }))
        let praise = Review(id: "1", stars: 5, text: "They last.")

        try await screen.submit(praise)

        #expect(sent == [praise])
        #expect(screen.reviews == [praise])
    }

    @MainActor @Test func `a review that was refused is not shown`() async throws {
        let screen = ReviewsViewModel(
            actions: .only(submit: { _ in throw NetworkError(.rejected) })
        )

        await #expect(throws: NetworkError.self) {
            try await screen.submit(Review(id: "1", stars: 6, text: "Too many stars."))
        }

        #expect(screen.reviews.isEmpty)
    }

    @MainActor @Test func `the live actions send requests to the shop`() async throws {
        let lines = Mutex<[String]>([])
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let client = NetworkClient(
            baseURL: api,
            networking: .closure { request in
                lines.withLock {
                    $0.append("\(request.httpMethod ?? "") \(request.url?.path ?? "")")
                }
                return try NetworkResponse(json: [Review(id: "1", stars: 4, text: "Warm.")])
            }
        )

        let screen = ReviewsViewModel(productID: boots, client: client)
        try await screen.reload()
        try await screen.submit(Review(id: "2", stars: 5, text: "They last."))
        let before = Before.ReviewsViewModel(productID: boots, client: client)
        try await before.reload()

        #expect(screen.reviews.map(\.id) == ["1", "2"])
        #expect(before.reviews.map(\.id) == ["1"])
        #expect(
            lines.withLock { $0 } == [
                "GET /v1/products/walking-boots/reviews",
                "PUT /v1/products/walking-boots/reviews/2",
                "GET /v1/products/walking-boots/reviews",
            ]
        )
    }

    @Test func `an action is decorated`() async throws {
        let (id, lines, clock) = (boots, Lines(), ManualClock())
        let loader = ProductLoader.only(load: { id in Product(id: id, name: "Walking Boots") })
        let lists = ListManager.only()
        func log(_ text: String) { lines.add(text) }
        var actions = ProductViewModel.Actions(
            productID: id,
            loader: loader,
            listManager: lists
        )
        let reload = actions.reload
        actions.reload = {
            let start = clock.now
            defer { log("The reload took \(start.duration(to: clock.now)).") }
            return try await reload()
        }

        #expect(try await actions.reload().name == "Walking Boots")
        #expect(lines.all == ["The reload took 0.0 seconds."])
    }

    @Test func `a function accepts any service that can get a product`()
        async throws
    {
        let loader = ProductLoader(load: { id in Product(id: id, name: "Walking Boots") })

        #expect(try await title(of: boots, from: loader) == "Walking Boots")
        let canned = ClosureService { (id: Product.ID) in Product(id: id, name: "Boots") }
        #expect(try await title(of: boots, from: canned) == "Boots")
    }
}

struct Review: Codable, Hashable, Identifiable, Sendable {
    let id: Identifier<Review>
    var stars: Int
    var text: String
}

/// The screen as it is written first.
enum Before {
    @MainActor @Observable final class ReviewsViewModel {
        private(set) var reviews: [Review] = []
        private let productID: Product.ID
        private let client: NetworkClient

        init(productID: Product.ID, client: NetworkClient) {
            self.productID = productID
            self.client = client
        }

        func reload() async throws {
            reviews = try await client.send(.get("products", productID, "reviews"))
        }
    }
}

extension ReviewsViewModel {
    struct Actions {
        var reload: Loading<[Review]>
        var submit: AsyncAction<Review>
    }
}

@MainActor @Observable final class ReviewsViewModel {
    private(set) var reviews: [Review] = []
    private let actions: Actions

    init(actions: Actions) {
        self.actions = actions
    }

    func reload() async throws {
        reviews = try await actions.reload()
    }

    func submit(_ review: Review) async throws {
        try await actions.submit(review)
        reviews.append(review)
    }
}

extension ReviewsViewModel {
    convenience init(productID: Product.ID, client: NetworkClient) {
        self.init(
            actions: Actions(
                reload: {
                    try await client.send(.get("products", productID, "reviews"))
                },
                submit: { review in
                    let request = NetworkRequest<Void>
                        .put("products", productID, "reviews", review.id)
                        .json(review)
                    try await client.send(request)
                }
            )
        )
    }
}

extension ReviewsViewModel.Actions {
    static func only(
        reload: Loading<[Review]>? = nil,
        submit: AsyncAction<Review>? = nil
    ) -> Self {
        Self(
            reload: reload ?? { throw UnimplementedAction("reload") },
            submit: submit ?? { _ in throw UnimplementedAction("submit") }
        )
    }
}

func title(
    of id: Product.ID,
    from products: some Gettable<Product.ID, Product>
) async throws -> String {
    try await products.get(id).name
}
