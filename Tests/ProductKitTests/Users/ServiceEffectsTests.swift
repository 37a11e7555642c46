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
        let cache = ResponseCache()
        switch kind {
        case .contract:
            return .contract(networking: networking, cache: cache, retry: retry, effects: effects)
        case .otherAPI:
            return ProductBackend(
                client: NetworkClient(baseURL: .api, networking: networking),
                cache: cache,
                retry: retry,
                effects: effects,
                loader: { ProductLoader(client: $0) },
                listManager: { ListManager(client: $0) }
            )
            .service(of: .guest)
        }
    }

    // Rule: testing/one-clock-per-service (7)
    @Test(arguments: Kind.allCases)
    func `stored responses age with the clock of the service`(kind: Kind) async throws {
        let service = service(kind, effects: clock.effects()) {
            try NetworkResponse(headers: ["Cache-Control": "max-age=60"], json: Product.boots)
        }
        try await service.fetchBoots()

        clock.advance(by: .seconds(59))
        #expect(try await service.fetchBoots().source == .cache(asOf: clock.date - 59))
        clock.advance(by: .seconds(2))
        #expect(try await service.fetchBoots().source == .network)
    }

    // Rule: testing/one-clock-per-service (7)
    @Test(arguments: Kind.allCases, [false, true])
    func `retries wait on the clock of the service, or on one of their own`(
        kind: Kind,
        hasOwnClock: Bool
    ) async throws {
        let own = ManualClock(skipsDelays: true)
        let statusCodes = Mutex([503, 200])
        let service = service(
            kind,
            effects: clock.effects(random: { $0.upperBound }),
            retry: hasOwnClock
                ? RetryBehavior(effects: own.effects(random: { $0.upperBound })) : RetryBehavior()
        ) {
            let statusCode = statusCodes.withLock { $0.removeFirst() }
            return try NetworkResponse(statusCode: statusCode, json: Product.boots)
        }

        try await service.loadBoots()

        #expect(own.delays == (hasOwnClock ? [.milliseconds(50)] : []))
        #expect(clock.delays == (hasOwnClock ? [] : [.milliseconds(50)]))
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
        try await service.loadBoots()
        #expect(refreshes.count == 0)

        clock.advance(by: .seconds(1))
        try await service.loadBoots()

        #expect(refreshes.count == 1)
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
    @MainActor @Test(arguments: [true, false])
    func `a new list has an identifier and a date of the service`(
        isOnScreen: Bool
    ) async throws {
        let id = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        let service = ProductService.inMemory(effects: clock.effects(uuid: { id }))

        if isOnScreen {
            try await service.membershipViewModel(for: .sample)
                .addProductToNewList(named: "Winter")
        } else {
            _ = try await service.listManager.createList(named: "Winter")
        }

        let list = try await service.listManager.list(
            withID: "01234567-89ab-cdef-0123-456789abcdef"
        )
        #expect(list.name == "Winter" && list.updatedAt == clock.date)
    }
}
