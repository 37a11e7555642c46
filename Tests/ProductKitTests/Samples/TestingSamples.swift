import Foundation
import ProductKit
import Synchronization
import Testing

private let boots = Product(id: "walking-boots", name: "Walking Boots")

/// The code of “Testing with inline closures”.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TestingSamples {
    @MainActor @Test func `a reload shows the loaded product`() async throws {
        var calls = 0
        let screen = ProductViewModel(
            product: boots,
            localUser: LocalUser(currency: "EUR"),
            actions: .only(
                reload: {
                    calls += 1
                    return Product(id: "walking-boots", name: "Lighter Boots")
                }
            )
        )

        try await screen.reload()

        #expect(screen.title == "Lighter Boots")
        #expect(calls == 1)
    }

    @MainActor @Test func `an action that is given fails no test`() async throws {
        let actions = ProductViewModel.Actions.only(
            reload: { boots },
            otherwise: { Issue.record($0) }
        )

        #expect(try await actions.reload() == boots)
    }

    @MainActor @Test func `a missing action is reported if its error is ignored`() async {
        var missing: [String] = []
        let screen = ProductViewModel(
            product: boots,
            localUser: LocalUser(currency: "EUR"),
            actions: .only(otherwise: { missing.append($0.name) })
        )

        try? await screen.reload()

        #expect(missing == ["reload"])
    }

    @MainActor @Test func `the screen is loading during a reload`() async throws {
        let gate = ActionGate<Product>()
        let screen = ProductViewModel(
            product: boots,
            localUser: LocalUser(currency: "EUR"),
            actions: .only(reload: { try await gate.hold() })
        )

        async let reload: Void = screen.reload()
        await gate.waitForCalls(1)
        #expect(screen.phase == .loading)

        try gate.release(returning: boots)
        try await reload
        #expect(screen.phase == .loaded)
    }

    @MainActor @Test func `the later of two reloads wins`() async throws {
        let gate = ActionGate<Product>()
        let screen = ProductViewModel(
            product: boots,
            localUser: LocalUser(currency: "EUR"),
            actions: .only(reload: { try await gate.hold() })
        )
        async let earlier: Void = screen.reload()
        await gate.waitForCalls(1)
        async let later: Void = screen.reload()
        await gate.waitForCalls(1)

        try gate.release(returning: Product(id: boots.id, name: "New"), at: 1)
        try await later
        try gate.release(returning: Product(id: boots.id, name: "Old"))
        try await earlier

        #expect(screen.title == "New")
    }

    @Test func `a product is served from the cache for a minute`() async throws {
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let clock = ManualClock()
        let backend = ProductBackend(
            baseURL: api,
            networking: .closure { _ in
                try NetworkResponse(headers: ["Cache-Control": "max-age=60"], json: boots)
            },
            cache: ResponseCache(),
            effects: clock.effects()
        )
        let service = ProductService(
            backend: backend,
            localUser: LocalUser(currency: "EUR"),
            user: .guest
        )
        let load = { try await service.loader.fetchProduct(withID: boots.id, policy: .standard) }
        #expect(try await load().source.code == .network)

        clock.advance(by: .seconds(59))
        #expect(try await load().source.code == .cache)

        clock.advance(by: .seconds(2))
        #expect(try await load().source.code == .network)
    }

    @MainActor @Test func `a search waits until typing pauses`() async throws {
        let clock = ManualClock()
        let catalog = CatalogViewModel(
            localUser: LocalUser(currency: "EUR"),
            actions: .only(
                loadPage: { query, _ in Page([Product(id: "1", name: query.text)]) },
                sleep: { try await clock.sleep(for: $0) }
            )
        )

        async let search: Void = catalog.search("boots")
        await clock.waitForSleeps(1)
        #expect(catalog.rows.isEmpty && catalog.phase == .loading)

        clock.advance(by: .milliseconds(300))
        try await search
        #expect(catalog.rows.map(\.product.name) == ["boots"])
    }

    @Test func `a load is retried twice`() async throws {
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let clock = ManualClock(skipsDelays: true)
        let backend = ProductBackend(
            baseURL: api,
            networking: .closure { _ in throw NetworkError(.unreachable) },
            effects: clock.effects(random: { $0.upperBound })
        )
        let service = ProductService(
            backend: backend,
            localUser: LocalUser(currency: "EUR"),
            user: .guest
        )

        await #expect(throws: NetworkError.self) {
            try await service.loader.loadProduct(withID: boots.id)
        }

        #expect(clock.delays == [.milliseconds(50), .milliseconds(100)])
    }

    @MainActor @Test func `an action can fail once`() async throws {
        var isOffline = true
        let actions = ProductViewModel.Actions.only(
            reload: {
                guard !isOffline else { throw NetworkError(.unreachable) }
                return boots
            }
        )

        let error = await #expect(throws: NetworkError.self) { try await actions.reload() }
        #expect(error?.code == .unreachable)
        isOffline = false
        #expect(try await actions.reload() == boots)
    }

    @Test func `the floors below are closures too`() async throws {
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let loader = ProductLoader.only(
            load: { id in Product(id: id, name: "Walking Boots") },
            otherwise: { Issue.record($0) }
        )
        let client = NetworkClient(
            baseURL: api,
            networking: .closure { request in
                #expect(request.url?.path() == "/v1/products/gid%3A%2F%2Fshop%2F42")
                return try NetworkResponse(json: Product(id: "gid://shop/42", name: "Iron Pan"))
            }
        )

        #expect(try await loader.loadProduct(withID: "walking-boots") == boots)
        let pan = try await ProductLoader(client: client).loadProduct(withID: "gid://shop/42")
        #expect(pan.name == "Iron Pan")
    }

    @Test func `an offline test sends no request`() async throws {
        let api = URL.api
        let service = ProductService(
            baseURL: api,
            localUser: LocalUser(currency: "EUR"),
            user: .guest,
            networking: .unimplemented(otherwise: { Issue.record($0) })
        )

        #expect(service.localUser.currency == "EUR")
    }

    @Test func `a service has a shop in memory`() async throws {
        let service = ProductService.inMemory(delay: .milliseconds(300))
        #expect(service.localUser == .sample)
        let failing = ProductService.inMemory(failure: { operation in
            operation == "setFavorite" ? NetworkError(.unavailable) : nil
        })
        #expect(try await failing.loader.products().items == Product.samples)
    }

    @Test func `a function needs one ability`() async throws {
        let boots = Product.sample
        let loader = ProductLoader.only(search: { _, _ in Page(Product.samples.reversed() + [boots])
        })
        let product = try await cheapest(matching: "boots", in: loader.firstPage)
        let canned = ClosureService { (_: ProductQuery) in Page([boots]) }
        let same = try await cheapest(matching: "boots", in: canned)

        #expect(product?.id == "enamel-mug" && same == boots)
    }

    @MainActor @Test func `a preview is a view model with canned actions`() async throws {
        let screen = ProductViewModel.preview

        try await screen.reload()

        #expect(screen.phase == .loaded)
    }
}

func cheapest(
    matching query: ProductQuery,
    in pages: some Gettable<ProductQuery, Page<Product>>
) async throws -> Product? {
    let priced = try await pages.get(query).items.filter { $0.price(in: "EUR") != nil }
    return priced.min { one, other in
        one.price(in: "EUR")?.amount ?? 0 < other.price(in: "EUR")?.amount ?? 0
    }
}

extension ProductViewModel {
    static var preview: ProductViewModel {
        let boots = Product(id: "walking-boots", name: "Walking Boots")
        return ProductViewModel(
            product: boots,
            localUser: LocalUser(currency: "EUR"),
            actions: .only(reload: { boots }, toggleFavorite: { _ in boots })
        )
    }
}
