import Foundation
import ProductKit
import Synchronization
import Testing

/// Tests that one set of effects controls the time of everything that a service creates.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ServiceEffectsTests {
    /// The backends of a service.
    enum Kind: CaseIterable {
        case contract, otherAPI
    }

    private let clock = ManualClock(skipsDelays: true)

    private func service(
        _ kind: Kind,
        effects: SystemEffects,
        retry: RetryBehavior = RetryBehavior(),
        respond: @escaping @Sendable () throws -> NetworkResponse
    ) -> ProductService {
        let networking: any Networking = .closure { _ in try respond() }
        let backend =
            switch kind {
            case .contract:
                ProductBackend(
                    baseURL: .api,
                    networking: networking,
                    cache: ResponseCache(),
                    retry: retry,
                    effects: effects
                )
            case .otherAPI:
                ProductBackend(
                    client: NetworkClient(baseURL: .api, networking: networking),
                    cache: ResponseCache(),
                    retry: retry,
                    effects: effects,
                    loader: { ProductLoader(client: $0) },
                    listManager: { ListManager(client: $0) }
                )
            }
        return ProductService(
            backend: backend,
            localUser: .shopper,
            user: .signedIn("ann") { AccessToken("ann's", user: "ann") }
        )
    }

    // Rule: testing/one-clock-per-service (7)
    @Test(arguments: Kind.allCases)
    func `stored responses age with the clock of the service`(kind: Kind) async throws {
        let service = service(kind, effects: clock.effects()) {
            try NetworkResponse(headers: ["Cache-Control": "max-age=60"], json: Product.boots)
        }
        let load = {
            try await service.loader.fetchProduct(withID: "walking-boots", policy: .standard)
        }
        _ = try await load()

        clock.advance(by: .seconds(59))
        #expect(try await load().source == .cache(asOf: clock.date - 59))
        clock.advance(by: .seconds(2))
        #expect(try await load().source == .network)
    }

    // Rule: testing/one-clock-per-service (7)
    @Test(arguments: Kind.allCases)
    func `retries wait on the clock of the service`(kind: Kind) async throws {
        let effects = clock.effects(random: { $0.upperBound })
        let statusCodes = Mutex([503, 200])
        let service = service(kind, effects: effects) {
            let statusCode = statusCodes.withLock { $0.removeFirst() }
            return try NetworkResponse(statusCode: statusCode, json: Product.boots)
        }

        #expect(try await service.loader.loadProduct(withID: "walking-boots") == .boots)

        #expect(clock.delays == [.milliseconds(50)])
    }

    // Rule: testing/one-clock-per-service (7)
    @Test(arguments: Kind.allCases)
    func `a retry with effects of its own uses those`(kind: Kind) async throws {
        let retryClock = ManualClock(skipsDelays: true)
        let statusCodes = Mutex([503, 200])
        let service = service(
            kind,
            effects: clock.effects(),
            retry: RetryBehavior(effects: retryClock.effects(random: { $0.upperBound }))
        ) {
            let statusCode = statusCodes.withLock { $0.removeFirst() }
            return try NetworkResponse(statusCode: statusCode, json: Product.boots)
        }

        _ = try await service.loader.loadProduct(withID: "walking-boots")

        #expect(retryClock.delays == [.milliseconds(50)] && clock.delays.isEmpty)
    }

    // Rule: testing/one-clock-per-service (7)
    @Test func `tokens expire on the clock of the service`() async throws {
        let clock = ManualClock()
        let refreshes = Counter()
        let expiry = clock.date + 60
        let user = ServiceUser.signedIn("ann") {
            AccessToken("first", expiry: refreshes.count == 0 ? expiry : nil, user: "ann")
        } refresh: { _ in
            refreshes.next()
            return AccessToken("second", user: "ann")
        }
        let service = ProductService.contract(
            user: user,
            networking: .closure { try .boots(to: $0) },
            effects: clock.effects()
        )
        clock.advance(by: .seconds(59))
        _ = try await service.loader.loadProduct(withID: "walking-boots")
        #expect(refreshes.count == 0)

        clock.advance(by: .seconds(1))
        _ = try await service.loader.loadProduct(withID: "walking-boots")

        #expect(refreshes.count == 1)
    }

    // Rule: testing/one-clock-per-service (7)
    @Test func `a refresh times out on the clock of the service`() async throws {
        let gate = ActionGate<AccessToken>()
        let user = ServiceUser.signedIn("ann") {
            AccessToken("first", user: "ann")
        } refresh: { _ in
            try await gate.hold()
        }
        let service = ProductService.contract(
            user: user,
            networking: .closure { _ in NetworkResponse(statusCode: 401) },
            effects: clock.effects()
        )

        await #expect(throws: TokenError.refreshTimedOut) {
            try await service.loader.loadProduct(withID: "walking-boots")
        }

        #expect(clock.delays.contains(.seconds(30)))
    }

    /// The initializers of a service with view models.
    enum ScreenKind: CaseIterable {
        case inMemory, backend, services
    }

    @MainActor private func service(_ kind: ScreenKind, effects: SystemEffects) -> ProductService {
        switch kind {
        case .inMemory: .inMemory(effects: effects)
        case .backend:
            .contract(networking: .closure { try Self.response(to: $0) }, effects: effects)
        case .services:
            ProductService(
                loader: .only(load: { _ in .boots }, search: { _, _ in Page([]) }),
                listManager: .only(),
                localUser: .shopper,
                effects: effects
            )
        }
    }

    // Rule: testing/one-clock-per-service (7)
    @MainActor @Test(arguments: ScreenKind.allCases)
    func `screens show the date, and searches wait, on the clock of the service`(
        kind: ScreenKind
    ) async throws {
        let service = service(kind, effects: clock.effects())
        let id: Product.ID = kind == .inMemory ? Product.sample.id : "walking-boots"
        clock.advance(by: .seconds(10))

        let screen = try await service.viewModel(forProductWithID: id)
        #expect(screen.asOf == clock.date)

        try await service.catalogViewModel().search("boots")
        #expect(clock.delays == [.milliseconds(300)])
    }

    private nonisolated static func response(to request: URLRequest) throws -> NetworkResponse {
        request.url?.path().hasSuffix("products") == true
            ? .json(#"{"items": []}"#) : try .boots(to: request)
    }

    // Rule: testing/one-clock-per-service (7)
    @MainActor @Test func `a list that a screen creates has an identifier of the service`()
        async throws
    {
        let id = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        let service = ProductService.inMemory(effects: clock.effects(uuid: { id }))
        let sheet = service.membershipViewModel(for: .sample)

        try await sheet.addProductToNewList(named: "Winter")

        let list = try await service.listManager.list(
            withID: "01234567-89ab-cdef-0123-456789abcdef"
        )
        #expect(list.name == "Winter")
    }

    // Rule: testing/one-clock-per-service (7)
    @Test func `a list that the list manager creates has an identifier and a date of the service`()
        async throws
    {
        let id = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        let service = ProductService.inMemory(effects: clock.effects(uuid: { id }))

        let list = try await service.listManager.createList(named: "Winter")

        #expect(list.id == "01234567-89ab-cdef-0123-456789abcdef")
        #expect(list.updatedAt == clock.date)
    }
}
