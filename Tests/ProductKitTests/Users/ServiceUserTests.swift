import Foundation
import ProductKit
import Synchronization
import Testing

/// Tests that all requests of a service belong to its user.
///
/// The service belongs to Ann. The server returns a product with the name of the token that it received.
@Suite(.serialized, .timeLimit(.minutes(5)))
final class ServiceUserTests: Sendable {
    private let sent = Lines()
    /// The user whom the app has signed in.
    private let signedIn = Mutex<String?>("ann")

    // Rule: security/request-belongs-to-one-user (33)
    @Test(
        arguments: [
            AccessToken("token", user: "bob"), AccessToken("token", user: "anne\u{301}"), nil,
        ]
    )
    func `a request is not sent with the token of another user or without a token`(
        token: AccessToken?
    ) async throws {
        let cache = ResponseCache()
        let service = backend(cache: cache) { try .boots(to: $0) }
            .service(of: .signedIn("ann\u{E9}") { token })

        for policy in [FetchPolicy.standard, .reload, .networkFirst] {
            await #expect(throws: TokenError.sessionEnded) {
                try await service.fetchBoots(policy: policy)
            }
        }
        await #expect(throws: TokenError.sessionEnded) { try await service.edit() }

        #expect(sent.all.isEmpty && cache.summaries().isEmpty)
    }

    // Rule: tokens/one-refresh-for-all (1)
    @Test func `signing out does not end a refresh that another service waits for`() async throws {
        let (gate, calls) = (ActionGate<Void>(), Counter())
        let tokens = TokenBehavior(
            effects: ManualClock().effects(),
            token: {
                // The third call is that of the refresh.
                if calls.next() == 3 { try await gate.hold() }
                return "old"
            },
            refresh: { _ in "new" }
        )
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                request.token == "new" ? try .boots(to: request) : NetworkResponse(statusCode: 401)
            },
            behaviors: [tokens]
        )
        let backend = ProductBackend.contract(client: client)
        let services = (0..<2).map { _ in backend.service(of: .signedIn("ann")) }
        let first = Task { try await services[0].loadBoots() }
        await gate.waitForCalls(1)
        let waiting = Task { try await services[1].loadBoots() }
        _ = await eventually { calls.count == 5 }

        await services[0].signOut()
        gate.open()

        #expect(try await waiting.value == .boots)
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    // Rule: security/request-belongs-to-one-user (33)
    @Test func `a request that a behavior passes on belongs to the user of its service`()
        async throws
    {
        let kept = Mutex<OutgoingRequest?>(nil)
        let backend = backend(cache: ResponseCache()) { request in
            try .boots(.boots(named: request.token ?? ""), to: request)
        }
        func name(for user: String) async throws -> String {
            let behavior = ClosureBehavior(intercept: { request, next in
                let first = kept.withLock { kept in
                    kept = kept ?? request
                    return kept
                }
                return try await next(first ?? request)
            })
            return try await backend.service(of: user).with(behaviors: [behavior])
                .fetchBoots().value.name
        }

        #expect(try await name(for: "ann") == "ann")
        #expect(try await name(for: "bob") == "bob")
        #expect(try await name(for: "ann") == "ann")
        #expect(sent.all == ["ann", "bob"])
    }

    // Rule: security/request-belongs-to-one-user (33); security/signed-request-stays-signed (34)
    @Test(arguments: ["bob", nil])
    func `after the user has changed, a retry is not sent, and leaves no response`(
        next: String?
    ) async throws {
        let cache = ResponseCache()
        var effects = ManualClock(skipsDelays: true).effects()
        effects.sleep = { [self] _ in signedIn.withLock { $0 = next } }
        let service = service(cache: cache, effects: effects) { [self] request in
            guard sent.all.count > 1 else { return NetworkResponse(statusCode: 503) }
            return try .boots(to: request)
        }

        await #expect(throws: TokenError.sessionEnded) { try await service.fetchBoots() }

        #expect(sent.all == ["ann"])
        #expect(cache.summaries().isEmpty)
    }

    // Rule: security/request-belongs-to-one-user (33)
    @Test func `a refresh that returns the token of another user ends the session`() async throws {
        let user = ServiceUser.signedIn("ann") {
            AccessToken("ann")
        } refresh: { _ in
            AccessToken("bob", user: "bob")
        }
        let service = backend { _ in NetworkResponse(statusCode: 401) }.service(of: user)

        await #expect(throws: TokenError.sessionEnded) { try await service.loadBoots() }

        #expect(sent.all == ["ann"])
    }

    // Rule: security/signed-request-stays-signed (34); cache/304-for-another-version (31)
    @Test func `a request that was signed is not repeated without a token after a wrong 304`()
        async throws
    {
        let service = service(cache: ResponseCache()) { [self] request in
            guard sent.all.count > 1 else {
                return try NetworkResponse(headers: ["ETag": "\"1\""], json: Product.boots)
            }
            signedIn.withLock { $0 = nil }
            return NetworkResponse(statusCode: 304, headers: ["ETag": "\"2\""])
        }
        try await service.fetchBoots()

        await #expect(throws: TokenError.sessionEnded) { try await service.loadBoots() }

        #expect(sent.all == ["ann", "ann"])
    }

    // Rule: tokens/refresh-is-not-signed (6); security/signed-request-stays-signed (34)
    @Test func `a refresh that is sent with the service is not signed`() async throws {
        let sender = Mutex<ProductService?>(nil)
        defer { sender.withLock { $0 = nil } }
        let user = ServiceUser.signedIn("ann") {
            "ann"
        } refresh: { _ in
            _ = try await sender.withLock(\.self)?.loader.loadProduct(withID: "token")
            return "ann's new token"
        }
        let service = backend { request in
            guard request.token == "ann" else { return try .boots(to: request) }
            return NetworkResponse(statusCode: 401)
        }
        .service(of: user)
        sender.withLock { $0 = service }

        try await service.loadBoots()

        #expect(sent.all == ["ann", "", "ann's new token"])
    }

    // Rule: tokens/refresh-is-not-signed (6)
    @Test func `a refresh does not wait for an equal request, and stores nothing for the user`()
        async throws
    {
        let sender = Mutex<ProductService?>(nil)
        defer { sender.withLock { $0 = nil } }
        let user = ServiceUser.signedIn("ann") {
            "ann"
        } refresh: { _ in
            _ = try await sender.withLock(\.self)?.loadBoots()
            return "ann's new token"
        }
        let service = backend(cache: ResponseCache()) { request in
            guard request.token == "ann" else {
                return try .boots(.boots.with { $0.name = request.token ?? "" }, to: request)
            }
            return NetworkResponse(statusCode: 401)
        }
        .service(of: user)
        sender.withLock { $0 = service }

        try await service.loadBoots()

        #expect(sent.all == ["ann", "", "ann's new token"])
        #expect(try await service.fetchBoots(policy: .cacheOnly).value.name == "ann's new token")
    }

    // Rule: cache/success-removes-responses (44)
    @Test func `a write that a refresh sends with the service removes stored responses`()
        async throws
    {
        let sender = Mutex<ProductService?>(nil)
        defer { sender.withLock { $0 = nil } }
        let user = ServiceUser.signedIn("ann") {
            "ann"
        } refresh: { _ in
            let loader = sender.withLock(\.self)?.loader
            _ = try await loader?.setFavoriteStatus(true, forProductWithID: Product.boots.id)
            return "ann's new token"
        }
        let service = backend(cache: ResponseCache()) { request in
            request.url?.lastPathComponent == "hat" && request.token == "ann"
                ? NetworkResponse(statusCode: 401) : try .boots(to: request)
        }
        .service(of: user)
        sender.withLock { $0 = service }
        try await service.fetchBoots()

        _ = try? await service.loader.loadProduct(withID: "hat")
        let count = sent.all.count
        try await service.fetchBoots()

        #expect(sent.all.contains("ann's new token") && sent.all.count == count + 1)
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test func `a write that was not sent without a token leaves fresh responses usable`()
        async throws
    {
        let service = service(cache: ResponseCache()) { try .boots(to: $0) }
        try await service.fetchBoots()
        signedIn.withLock { $0 = nil }

        await #expect(throws: TokenError.sessionEnded) {
            try await service.loader.setFavoriteStatus(true, forProductWithID: Product.boots.id)
        }

        try await service.fetchBoots()
        #expect(sent.all == ["ann"])
    }

    // Rule: cache/failure-invalidates-responses (45)
    @Test func `a write whose session ends after an attempt invalidates`() async throws {
        let service = service(cache: ResponseCache()) { [self] request in
            guard request.httpMethod != "GET" else { return try .boots(to: request) }
            signedIn.withLock { $0 = nil }
            return NetworkResponse(statusCode: 503)
        }
        try await service.fetchBoots()

        await #expect(throws: (any Error).self) {
            try await service.loader.setFavoriteStatus(true, forProductWithID: Product.boots.id)
        }

        await #expect(throws: TokenError.sessionEnded) { try await service.fetchBoots() }
        #expect(sent.all == ["ann", "ann"])
    }

    // Rule: security/request-belongs-to-one-user (33)
    @Test func `the token is not needed for a stored response`() async throws {
        let tokens = Counter()
        let service = backend(cache: ResponseCache()) { try .boots(to: $0) }
            .service(of: .signedIn("ann") { "ann \(tokens.next())" })

        for _ in 0..<2 { try await service.fetchBoots() }

        #expect(tokens.count == 1)
    }

    // Rule: security/request-belongs-to-one-user (33)
    @Test func `a user may get a new token between two attempts`() async throws {
        let tokens = Mutex(["ann's new token", "ann"])
        let user = ServiceUser.signedIn("ann") { tokens.withLock { $0.popLast() } }
        let effects = ManualClock(skipsDelays: true).effects()
        let service = backend(effects: effects) { request in
            guard request.token != "ann" else { return NetworkResponse(statusCode: 503) }
            return try .boots(to: request)
        }
        .service(of: user)

        try await service.loadBoots()

        #expect(sent.all == ["ann", "ann's new token"])
    }

    // Rule: security/request-belongs-to-one-user (33); cache/invalidation-survives-restart (46)
    @Test func `an invalidated path is loaded again for the user of the service only`() async throws
    {
        let backend = backend(cache: ResponseCache()) { try .boots(to: $0) }
        let services = ["ann", "bob"].map { backend.service(of: $0) }
        func load() async throws {
            for service in services { try await service.fetchBoots() }
        }
        for _ in 0..<2 { try await load() }
        #expect(sent.all == ["ann", "bob"])

        services[0].invalidate(.api.appending(path: "products/walking-boots"))
        try await load()

        #expect(sent.all == ["ann", "bob", "ann"])
    }

    // Rule: security/sign-out-spares-other-services (37)
    @Test @MainActor func `a service that has signed out invalidates nothing`() async throws {
        let partition = Mutex("ann")
        let caching = CachingBehavior(
            cache: ResponseCache(),
            partition: { partition.withLock(\.self) }
        )
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { [self] request in
                sent.add(request.token ?? "")
                return try .boots(to: request)
            },
            behaviors: [caching]
        )
        let backend = ProductBackend.contract(client: client)
        let services = ["ann", "bob"].map { backend.service(of: $0) }
        await services[0].signOut()
        partition.withLock { $0 = "bob" }
        try await services[1].fetchBoots()

        services[0].invalidate(.api.appending(path: "products/walking-boots"))
        try await services[1].fetchBoots()

        #expect(sent.all.count == 1)
    }

    // Rule: security/failure-replaces-nothing (22)
    @Test func `a response that cannot be decoded is removed for the user of the request`()
        async throws
    {
        let cache = ResponseCache()
        let service = service(cache: cache) { [self] request in
            guard sent.all.count == 1 else { return try .boots(to: request) }
            return .json("{}", headers: ["Cache-Control": "max-age=86400"])
        }

        await #expect(throws: NetworkError.self) { try await service.fetchBoots() }

        #expect(cache.summaries().isEmpty)
        try await service.fetchBoots()
        #expect(sent.all.count == 2)
    }

    // Rule: security/user-has-an-identifier (41)
    @Test func `an empty identifier, or an outbox without a user, stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = ServiceUser.signedIn("") { "token" }
        }
        await #expect(processExitsWith: .failure) {
            _ = ProductService(
                loader: .only(),
                listManager: .only(),
                localUser: .shopper,
                outbox: Outbox()
            )
        }
    }

    private func service(
        cache: ResponseCache? = nil,
        effects: SystemEffects = SystemEffects(),
        server: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ProductService {
        let user = ServiceUser.signedIn("ann") { [self] in
            signedIn.withLock(\.self).map { AccessToken($0, user: $0) }
        }
        return backend(cache: cache, effects: effects, server: server).service(of: user)
    }

    private func backend(
        cache: ResponseCache? = nil,
        effects: SystemEffects = SystemEffects(),
        server: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ProductBackend {
        ProductBackend(
            baseURL: .api,
            networking: .closure { [self] request in
                sent.add(request.token ?? "")
                return try await server(request)
            },
            cache: cache,
            retry: RetryBehavior(effects: effects)
        )
    }
}
