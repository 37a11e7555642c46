import Foundation
import ProductKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The user of the current task.
@TaskLocal private var currentUser = "guest"

/// Tests that a request of a service belongs to one user, from its start to its end.
///
/// The server returns a product with the name of the token that it received.
@Suite(.serialized, .timeLimit(.minutes(5)))
final class RequestIdentityTests: Sendable {
    /// How a service gets the token of a user.
    enum Tokens: CaseIterable {
        case text, token, tokenWithUser
    }

    private let sent = Mutex<[String]>([])
    private let signedIn = Mutex<String?>("ann")

    // Rule: security/request-belongs-to-one-user (33); cache/partitions-are-separate (40)
    @Test(arguments: Tokens.allCases)
    func `users whose tokens come from their tasks share no request and no response`(
        tokens: Tokens
    ) async throws {
        let gate = ActionGate<Void>()
        let service = service(tokens, cache: ResponseCache(), user: { currentUser }) { request in
            try await gate.hold()
            return try .boots(.boots(named: request.token ?? ""), to: request)
        }
        @Sendable func name(for user: String) async throws -> String {
            try await $currentUser.withValue(user) {
                try await service.loader.fetchProduct(withID: "walking-boots").value.name
            }
        }

        let executor = SerialTaskExecutor()
        let loads = ["ann", "bob"].map { user in
            Task(executorPreference: executor) { try await name(for: user) }
        }
        // If they shared a request, a second one would never arrive.
        await gate.waitForCalls(1)
        for _ in 0..<10 { await executor.waitUntilIdle() }
        gate.open()

        #expect(try await loads[0].value == "ann")
        #expect(try await loads[1].value == "bob")
        #expect(try await name(for: "ann") == "ann")
        #expect(try await name(for: "bob") == "bob")
        #expect(sent.withLock(\.count) == 2)
    }

    // Rule: security/request-belongs-to-one-user (33)
    @Test(arguments: Tokens.allCases)
    func `another user who is signed in during a retry gets and leaves no response`(
        tokens: Tokens
    ) async throws {
        let cache = ResponseCache()
        var effects = ManualClock(skipsDelays: true).effects()
        effects.sleep = { [self] _ in signedIn.withLock { $0 = "bob" } }
        let service = service(tokens, cache: cache, effects: effects) { [self] request in
            guard sent.withLock(\.count) > 1 else { return NetworkResponse(statusCode: 503) }
            signedIn.withLock { $0 = "ann" }
            return try .boots(.boots(named: request.token ?? ""), to: request)
        }

        await #expect(throws: TokenError.sessionEnded) {
            try await service.loader.fetchProduct(withID: "walking-boots")
        }

        #expect(sent.withLock(\.self) == ["ann"])
        #expect(cache.summaries().isEmpty)
    }

    // Rule: security/signed-request-stays-signed (34)
    @Test(arguments: Tokens.allCases, [nil, "ann"] as [Identifier<LocalUser>?])
    func `a request that was signed is not sent again without a token`(
        tokens: Tokens,
        id: Identifier<LocalUser>?
    ) async throws {
        var effects = ManualClock(skipsDelays: true).effects()
        effects.sleep = { [self] _ in signedIn.withLock { $0 = nil } }
        let service = service(tokens, id: id, effects: effects) { _ in
            NetworkResponse(statusCode: 503)
        }

        await #expect(throws: TokenError.sessionEnded) {
            try await service.loader.loadProduct(withID: "walking-boots")
        }

        #expect(sent.withLock(\.self) == ["ann"])
    }

    // Rule: security/signed-request-stays-signed (34); cache/304-for-another-version (31)
    @Test(arguments: Tokens.allCases, [nil, "ann"] as [Identifier<LocalUser>?])
    func `a request that was signed is not repeated without a token after a wrong 304`(
        tokens: Tokens,
        id: Identifier<LocalUser>?
    ) async throws {
        let service = service(tokens, id: id, cache: ResponseCache()) { [self] request in
            guard sent.withLock(\.count) > 1 else {
                return try NetworkResponse(headers: ["ETag": "\"1\""], json: Product.boots)
            }
            signedIn.withLock { $0 = nil }
            return NetworkResponse(statusCode: 304, headers: ["ETag": "\"2\""])
        }
        _ = try await service.loader.fetchProduct(withID: "walking-boots")

        await #expect(throws: TokenError.sessionEnded) {
            try await service.loader.loadProduct(withID: "walking-boots")
        }

        #expect(sent.withLock(\.self) == ["ann", "ann"])
    }

    // Rule: tokens/refresh-is-not-signed (6); security/signed-request-stays-signed (34)
    @Test func `a refresh that the client of a service sends is not signed`() async throws {
        let refresh = Mutex<NetworkClient?>(nil)
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { [self] request in
                sent.withLock { $0.append(request.token ?? "") }
                guard request.token == "ann" else { return try .boots(to: request) }
                return NetworkResponse(statusCode: 401)
            },
            behaviors: [
                RetryBehavior(effects: ManualClock(skipsDelays: true).effects()),
                TokenBehavior(
                    effects: ManualClock().effects(),
                    token: { "ann" },
                    refresh: { _ in
                        _ = try await refresh.withLock(\.self)?.send(.boots)
                        return "ann's new token"
                    }
                ),
            ]
        )
        refresh.withLock { $0 = client }
        defer { refresh.withLock { $0 = nil } }

        _ = try await ProductService(client: client, localUser: .shopper)
            .loader.loadProduct(withID: "walking-boots")

        #expect(sent.withLock(\.self) == ["ann", "", "ann's new token"])
    }

    // Rule: security/request-belongs-to-one-user (33)
    @Test(arguments: [("ann" as Identifier<LocalUser>?, 1), (nil, 2)])
    func `the token of a user with an identifier is not needed for a stored response`(
        id: Identifier<LocalUser>?,
        calls: Int
    ) async throws {
        let tokens = Counter()
        let service = service(
            .text,
            id: id,
            cache: ResponseCache(),
            user: { "ann \(tokens.next() / 9)" },
            server: { request in try .boots(to: request) }
        )

        for _ in 0..<2 { _ = try await service.loader.fetchProduct(withID: "walking-boots") }

        #expect(tokens.count == calls)
    }

    // Rule: security/request-belongs-to-one-user (33)
    @Test func `a user with an identifier may get a new token between two attempts`() async throws {
        let service = service(.text, id: "ann", effects: ManualClock(skipsDelays: true).effects()) {
            [self] request in
            signedIn.withLock { $0 = "ann's new token" }
            guard request.token != "ann" else { return NetworkResponse(statusCode: 503) }
            return try .boots(to: request)
        }

        _ = try await service.loader.loadProduct(withID: "walking-boots")

        #expect(sent.withLock(\.self) == ["ann", "ann's new token"])
    }

    // Rule: security/request-belongs-to-one-user (33)
    @Test func `the identifier of a user and the user of a token name the same partition`()
        async throws
    {
        let cache = ResponseCache()
        let services = [
            service(.text, id: "ann", cache: cache, user: { "text" }) { try .boots(to: $0) },
            service(.tokenWithUser, cache: cache) { try .boots(to: $0) },
        ]

        for service in services {
            _ = try await service.loader.fetchProduct(withID: "walking-boots")
        }

        #expect(sent.withLock(\.self) == ["text"])
    }

    // Rule: security/request-belongs-to-one-user (33)
    @Test func `a background revalidation belongs to the user of the request that started it`()
        async throws
    {
        let revalidated = ActionGate<Void>()
        let service = service(.tokenWithUser, cache: ResponseCache()) { [self] request in
            let isFirst = sent.withLock(\.count) == 1
            if !isFirst { try await revalidated.hold() }
            let headers: NetworkHeaders = [
                "Cache-Control": "max-age=0, stale-while-revalidate=86400"
            ]
            let name = isFirst ? "old" : "new"
            return try NetworkResponse(headers: headers, json: Product.boots(named: name))
        }
        @Sendable func name(_ policy: FetchPolicy) async throws -> String {
            let loader = service.loader
            return try await loader.fetchProduct(withID: "walking-boots", policy: policy).value.name
        }
        #expect(try await name(.standard) == "old")
        #expect(try await name(.standard) == "old")
        // Before it is sent, the user may not change.
        await revalidated.waitForCalls(1)
        signedIn.withLock { $0 = "bob" }
        revalidated.open()

        await #expect(throws: NetworkError.self) { try await name(.cacheOnly) }
        signedIn.withLock { $0 = "ann" }
        let isRevalidated = try await eventually { try await name(.cacheOnly) == "new" }
        #expect(isRevalidated)
        #expect(sent.withLock(\.self) == ["ann", "ann"])
    }

    // Rule: security/request-belongs-to-one-user (33); tokens/newer-token-needs-no-refresh (2)
    @Test func `a refreshed token without a user belongs to the user of the former one`()
        async throws
    {
        let (stored, rejected, reads) = (ActionGate<Void>(), ActionGate<Void>(), ActionGate<Void>())
        reads.open()
        let cache = ResponseCache()
        let service = ProductService(
            baseURL: .api,
            localUser: .shopper,
            networking: .closure { [self] request in
                sent.withLock { $0.append(request.token ?? "") }
                guard request.token == "ann" else { return try .boots(to: request) }
                if request.url?.lastPathComponent == "late" { try await rejected.hold() }
                return NetworkResponse(statusCode: 401)
            },
            cache: cache,
            token: { [self] in
                try await reads.hold()
                return signedIn.withLock(\.self).map { AccessToken($0) }
            },
            refresh: { [self] _ in
                signedIn.withLock { $0 = "ann's new token" }
                try await stored.hold()
                return "ann's new token"
            }
        )
        let late = Task { try? await service.loader.fetchProduct(withID: "late") }
        await rejected.waitForCalls(1)
        let boots = Task { try await service.loader.fetchProduct(withID: "walking-boots") }
        await stored.waitForCalls(1)

        // The app has stored the new token, and the refresh has not ended yet.
        rejected.open()
        await reads.waitForCalls(5)
        stored.open()
        _ = try await boots.value
        _ = await late.value

        let fetched = try await service.loader.fetchProduct(withID: "walking-boots")
        #expect(fetched.source.code == .cache)
        let tokens = ["ann", "ann", "ann's new token", "ann's new token"]
        #expect(sent.withLock(\.self) == tokens)
    }

    // Rule: security/request-belongs-to-one-user (33); cache/invalidation-survives-restart (46)
    @Test(arguments: Tokens.allCases)
    func `an invalidated path is loaded again for every user of the service`(
        tokens: Tokens
    ) async throws {
        let service = service(tokens, cache: ResponseCache()) { try .boots(to: $0) }
        @Sendable func load() async throws {
            for user in ["ann", "bob"] {
                signedIn.withLock { $0 = user }
                _ = try await service.loader.fetchProduct(withID: "walking-boots")
            }
        }
        for _ in 0..<2 { try await load() }
        #expect(sent.withLock(\.self) == ["ann", "bob"])

        service.invalidate(.api.appending(path: "products/walking-boots"))
        try await load()

        #expect(sent.withLock(\.self) == ["ann", "bob", "ann", "bob"])
    }

    // Rule: security/failure-replaces-nothing (22)
    @Test func `a response that cannot be decoded is removed for the user of the request`()
        async throws
    {
        let service = service(.tokenWithUser, cache: ResponseCache()) { [self] request in
            guard sent.withLock(\.count) == 1 else { return try .boots(to: request) }
            return .json("{}", headers: ["Cache-Control": "max-age=86400"])
        }

        await #expect(throws: NetworkError.self) {
            try await service.loader.fetchProduct(withID: "walking-boots")
        }

        _ = try await service.loader.fetchProduct(withID: "walking-boots")
    }

    private func service(
        _ tokens: Tokens,
        id: Identifier<LocalUser>? = nil,
        cache: ResponseCache? = nil,
        effects: SystemEffects = SystemEffects(),
        user: (@Sendable () -> String?)? = nil,
        server: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ProductService {
        let user = user ?? { [self] in signedIn.withLock(\.self) }
        let backend = ProductBackend(
            baseURL: .api,
            networking: .closure { [self] request in
                sent.withLock { $0.append(request.token ?? "") }
                return try await server(request)
            },
            cache: cache,
            retry: RetryBehavior(effects: effects)
        )
        let localUser = LocalUser(currency: "EUR", id: id)
        return switch tokens {
        case .text: ProductService(backend: backend, localUser: localUser) { user() }
        case .token:
            ProductService(backend: backend, localUser: localUser) {
                user().map { AccessToken($0) }
            }
        case .tokenWithUser:
            ProductService(backend: backend, localUser: localUser) {
                user().map { AccessToken($0, user: $0) }
            }
        }
    }
}
