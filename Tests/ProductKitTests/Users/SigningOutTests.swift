import Foundation
import ProductKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The effect of signing out on the requests of a service.
@Suite(.timeLimit(.minutes(5)))
final class SigningOutTests: Sendable {
    private let sent = Mutex<[String?]>([])
    private let gate = Gate()

    // Rule: security/sign-out-ends-requests (35)
    @Test(arguments: ["PUT", "GET"])
    func `a request that waits for a retry ends and is not sent for the next user`(
        method: String
    ) async throws {
        let user = Mutex("ann")
        let (delays, delayed) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
        var effects = Timeline().effects()
        // The sleep does not react to cancellation, so only signing out can end the request.
        effects.sleep = { _ in await withCheckedContinuation { _ = delayed.yield($0) } }
        let service = service(effects: effects, token: { user.withLock(\.self) }) { _ in
            NetworkResponse(statusCode: 503)
        }
        let request = Task {
            if method == "GET" {
                _ = try await service.loader.loadProduct(withID: "a")
            } else {
                try await service.listManager.addProduct(withID: "a", toListWithID: "b")
            }
        }
        var delay = delays.makeAsyncIterator()
        let sleep = await delay.next()

        user.withLock { $0 = "bob" }
        await service.signOut()

        await #expect(throws: CancellationError.self) { try await request.value }
        sleep?.resume()
        for _ in 0..<100 { await Task.yield() }
        #expect(sent.withLock(\.self) == ["ann"])
    }

    // Rule: security/sign-out-ends-requests (35)
    @Test func `a request that waits for its token ends`() async throws {
        let token: @Sendable () async throws -> AccessToken? = { [gate] in
            await withCheckedContinuation { continuation in
                Task {
                    try? await gate.pass()
                    continuation.resume(returning: "ann")
                }
            }
        }
        let service = ProductService(
            baseURL: .api,
            localUser: .shopper,
            networking: networking { _ in NetworkResponse() },
            token: token
        )
        let load = Task { try await service.loader.loadProduct(withID: "a") }
        await gate.arrival()

        await service.signOut()

        await #expect(throws: CancellationError.self) { try await load.value }
        gate.open()
        #expect(sent.withLock(\.self).isEmpty)
    }

    // Rule: security/sign-out-ends-requests (35)
    @Test func `a refresh is cancelled, and its request is not sent again`() async throws {
        let cancellations = Counter()
        let service = ProductService(
            baseURL: .api,
            localUser: .shopper,
            networking: networking { _ in NetworkResponse(statusCode: 401) },
            token: { "ann" },
            refresh: { [gate] _ in
                await withTaskCancellationHandler {
                    try? await gate.pass()
                } onCancel: {
                    cancellations.next()
                }
                return "ann's new token"
            }
        )
        let load = Task { try await service.loader.loadProduct(withID: "a") }
        await gate.arrival()

        await service.signOut()

        #expect(cancellations.count == 1)
        await #expect(throws: CancellationError.self) { try await load.value }
        for _ in 0..<100 { await Task.yield() }
        #expect(sent.withLock(\.self) == ["ann"])
    }

    // Rule: security/sign-out-ends-requests (35)
    @Test(arguments: [nil, "ann"] as [Identifier<LocalUser>?])
    func `a service with a token sends nothing after signing out`(
        id: Identifier<LocalUser>?
    ) async throws {
        let service = service(id: id, cache: ResponseCache(), token: { "ann" }) { request in
            try .boots(to: request)
        }
        _ = try await service.loader.fetchProduct(withID: "walking-boots")

        await service.signOut()

        for policy in [FetchPolicy.standard, .cacheOnly, .reload] {
            await #expect(throws: TokenError.sessionEnded) {
                try await service.loader.fetchProduct(withID: "walking-boots", policy: policy)
            }
        }
        await #expect(throws: TokenError.sessionEnded) {
            try await service.listManager.addProduct(withID: "a", toListWithID: "b")
        }
        #expect(sent.withLock(\.self) == ["ann"])
    }

    // Rule: security/sign-out-ends-requests (35); cache/sign-out-empties-the-cache (42)
    @Test func `a service without a token continues for guests`() async throws {
        let cache = ResponseCache()
        let service = service(cache: cache, token: nil) { [self] request in
            if sent.withLock(\.count) == 1 { try await gate.pass() }
            return try .boots(to: request)
        }
        let load = Task { try await service.loader.loadProduct(withID: "walking-boots") }
        await gate.arrival()

        await service.signOut()
        await #expect(throws: CancellationError.self) { try await load.value }
        _ = try await service.loader.fetchProduct(withID: "walking-boots")

        #expect(sent.withLock(\.self) == [nil, nil])
        #expect(cache.summaries().isEmpty)
    }

    // Rule: security/sign-out-ends-requests (35); security/sign-out-removes-data (19)
    @Test func `signing out ends the requests of a client and empties its cache`() async throws {
        let cache = ResponseCache()
        let service = ProductService(
            client: NetworkClient(
                baseURL: .api,
                networking: networking { [self] request in
                    if sent.withLock(\.count) == 3 { try await gate.pass() }
                    return try .boots(to: request)
                },
                behaviors: [CachingBehavior(cache: cache, partition: { "ann" })]
            ),
            localUser: .shopper
        )
        _ = try await service.loader.fetchProduct(withID: "walking-boots")
        service.invalidate(.api.appending(path: "products/walking-boots"))
        _ = try await service.loader.fetchProduct(withID: "walking-boots")
        #expect(sent.withLock(\.count) == 2)
        let write = Task {
            try await service.listManager.addProduct(withID: "a", toListWithID: "b")
        }
        await gate.arrival()

        await service.signOut()

        await #expect(throws: CancellationError.self) { try await write.value }
        #expect(cache.summaries().isEmpty)
    }

    // Rule: security/sign-out-ends-requests (35); cancellation/final-outcome-stays (3)
    @Test func `the response to a write counts although its caller was cancelled`() async throws {
        let service = service(token: { "ann" }) { [gate] _ in
            await withTaskCancellationHandler {
                await Task { try? await gate.pass() }.value
            } onCancel: {
                gate.open()
            }
            return NetworkResponse(statusCode: 204)
        }
        let write = Task {
            try await service.listManager.addProduct(withID: "a", toListWithID: "b")
        }
        await gate.arrival()

        write.cancel()

        await #expect(throws: Never.self) { try await write.value }
    }

    private func service(
        id: Identifier<LocalUser>? = nil,
        cache: ResponseCache? = nil,
        effects: BehaviorEffects = BehaviorEffects(),
        token: (@Sendable () async throws -> String?)?,
        server: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ProductService {
        ProductService(
            baseURL: .api,
            localUser: LocalUser(currency: "EUR", id: id),
            networking: networking(server),
            cache: cache,
            retry: RetryBehavior(effects: effects),
            token: token
        )
    }

    private func networking(
        _ server: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> any Networking {
        .closure { [self] request in
            sent.withLock { $0.append(request.token) }
            return try await server(request)
        }
    }
}
