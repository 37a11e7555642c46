import Foundation
import ProductKit
import Synchronization
import Testing

/// The effect of signing out on the requests of a service.
@Suite(.serialized, .timeLimit(.minutes(5)))
final class SigningOutTests: Sendable {
    private let sent = Mutex<[String?]>([])
    private let gate = ActionGate<Void>()
    private let cancellations = Counter()

    // Rule: security/sign-out-ends-requests (35)
    @Test(arguments: ["PUT", "GET"])
    func `a request that waits for a retry ends and is not sent for the next user`(
        method: String
    ) async throws {
        let user = Mutex("ann")
        var effects = ManualClock(skipsDelays: true).effects()
        effects.sleep = { [self] _ in
            user.withLock { $0 = "bob" }
            await passGate()
        }
        let service = service(effects: effects, token: { user.withLock(\.self) }) { _ in
            NetworkResponse(statusCode: 503)
        }

        try await expectSignOut(of: service) {
            if method == "GET" { try await service.loadBoots() } else { try await service.edit() }
        }

        #expect(sent.withLock(\.self) == ["ann"])
    }

    // Rule: security/sign-out-ends-requests (35)
    @Test func `a request that waits for its token ends`() async throws {
        let service = service(token: { [self] in
            await passGate()
            return "ann"
        }) { _ in NetworkResponse() }

        try await expectSignOut(of: service) { try await service.loadBoots() }

        #expect(sent.withLock(\.self).isEmpty)
    }

    // Rule: security/sign-out-ends-requests (35); cancellation/not-treated-as-failure (2)
    @Test func `a behavior that has held a request gets a cancellation`() async throws {
        let errors = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .unimplemented(otherwise: { Issue.record($0) }),
            behaviors: [
                ClosureBehavior(intercept: { [gate] request, next in
                    try await gate.hold()
                    do { return try await next(request) } catch {
                        errors.add("\(type(of: error))")
                        throw error
                    }
                })
            ]
        )
        let service = ProductBackend(
            client: client,
            loader: { ProductLoader(client: $0) },
            listManager: { ListManager(client: $0) }
        )
        .service(of: .guest)

        let load = Task { try await service.loadBoots() }
        await gate.waitForCalls(1)
        await service.signOut()
        gate.open()

        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(errors.all == ["CancellationError"])
    }

    // Rule: security/sign-out-ends-requests (35)
    @Test(arguments: [true, false])
    func `a refresh is cancelled, or not started, and its request is not sent again`(
        isRefreshing: Bool
    ) async throws {
        let refreshes = Counter()
        let user = ServiceUser.signedIn("ann") {
            "ann"
        } refresh: { [self] _ in
            refreshes.next()
            await passGate()
            return "ann's new token"
        }
        let service = ProductService(
            baseURL: .api,
            localUser: .shopper,
            user: user,
            networking: networking { [self] _ in
                if !isRefreshing { await passGate() }
                return NetworkResponse(statusCode: 401)
            }
        )

        try await expectSignOut(of: service) { try await service.loadBoots() }

        #expect(refreshes.count == (isRefreshing ? 1 : 0) && sent.withLock(\.self) == ["ann"])
    }

    // Rule: security/sign-out-ends-requests (35); cache/sign-out-empties-the-cache (42)
    @Test func `a background revalidation ends with the session that started it`() async throws {
        let cache = ResponseCache()
        let service = service(cache: cache, token: { "ann" }) { [self] _ in
            if sent.withLock(\.count) > 1 { await passGate() }
            let headers: NetworkHeaders = [
                "Cache-Control": "max-age=0, stale-while-revalidate=86400"
            ]
            return try NetworkResponse(headers: headers, json: Product.boots)
        }
        let (loads, end) = Inheritance.task {
            for _ in 0..<2 { try await service.fetchBoots() }
        }
        try await loads.value
        await gate.waitForCalls(1)

        await service.signOut()
        try await requireCancellation()
        gate.open()
        for await _ in end {}

        #expect(cache.summaries().isEmpty)
        #expect(sent.withLock(\.self) == ["ann", "ann"])
    }

    // Rule: security/sign-out-ends-requests (35)
    @Test(arguments: ["ann", nil])
    func `a service sends nothing after signing out, also for guests`(token: String?) async throws {
        let user: ServiceUser = token == nil ? .guest : .signedIn("ann") { token }
        let service = ProductService.contract(
            user: user,
            networking: networking { try .boots(to: $0) },
            cache: ResponseCache()
        )
        try await service.fetchBoots()

        await service.signOut()

        for policy in [FetchPolicy.standard, .cacheOnly, .reload] {
            await #expect(throws: TokenError.sessionEnded) {
                try await service.fetchBoots(policy: policy)
            }
        }
        await #expect(throws: TokenError.sessionEnded) { try await service.edit() }
        #expect(sent.withLock(\.self) == [token])
    }

    // Rule: security/sign-out-ends-requests (35); cache/sign-out-empties-the-cache (42)
    @Test func `a response that arrives after signing out is not stored`() async throws {
        let cache = ResponseCache()
        let service = service(cache: cache, token: nil) { [self] request in
            await passGate()
            return try .boots(to: request)
        }

        try await expectSignOut(of: service) { try await service.loadBoots() }

        #expect(sent.withLock(\.self) == [nil])
        #expect(cache.summaries().isEmpty)
    }

    // Rule: security/sign-out-ends-requests (35); security/sign-out-removes-data (19)
    @Test func `signing out ends the requests of a client and empties its cache`() async throws {
        let cache = ResponseCache()
        let service = ProductService.contract(
            client: NetworkClient(
                baseURL: .api,
                networking: networking { [self] request in
                    if sent.withLock(\.count) == 3 { await passGate() }
                    return try .boots(to: request)
                },
                behaviors: [CachingBehavior(cache: cache, partition: { "ann" })]
            )
        )
        try await service.fetchBoots()
        service.invalidate(.api.appending(path: "products/walking-boots"))
        try await service.fetchBoots()
        #expect(sent.withLock(\.count) == 2)
        let write = Task { try await service.edit() }
        await gate.waitForCalls(1)

        await service.signOut()

        try await requireCancellation()
        await #expect(throws: CancellationError.self) { try await write.value }
        gate.open()
        #expect(cache.summaries().isEmpty)
    }

    // Rule: security/sign-out-ends-requests (35); cancellation/final-outcome-stays (3)
    @Test func `the response to a write counts although its caller was cancelled`() async throws {
        let service = service(token: { "ann" }) { [gate] _ in
            await withTaskCancellationHandler {
                await Task { try? await gate.hold() }.value
            } onCancel: {
                gate.open()
            }
            return NetworkResponse(statusCode: 204)
        }
        let write = Task { try await service.edit() }
        await gate.waitForCalls(1)

        write.cancel()

        await #expect(throws: Never.self) { try await write.value }
    }

    @Test func `a caller that is cancelled while its request starts cancels the request`()
        async throws
    {
        let caller = Mutex<Task<Void, any Error>?>(nil)
        let service = service(token: { "ann" }) { [self] _ in
            caller.withLock { $0?.cancel() }
            await passGate()
            return NetworkResponse(statusCode: 204)
        }
        let start = ActionGate<Void>()
        let write = Task {
            try await start.hold()
            try await service.edit()
        }
        await start.waitForCalls(1)
        caller.withLock { $0 = write }

        try start.release()

        await gate.waitForCalls(1)
        try await requireCancellation()
        gate.open()
        try await write.value
    }

    /// Signs out while an operation waits at the gate, and expects that the operation ends.
    private func expectSignOut(
        of service: ProductService,
        during operation: @escaping @Sendable () async throws -> Void
    ) async throws {
        let (task, end) = Inheritance.task(operation)
        await gate.waitForCalls(1)

        await service.signOut()

        try await requireCancellation()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        for await _ in end {}
    }

    /// Requires that signing out has cancelled one task that waits at the gate.
    ///
    /// A task that is just starting is cancelled by the thread that starts it, a moment later.
    private func requireCancellation() async throws {
        _ = await eventually { cancellations.count > 0 }
        try #require(cancellations.count == 1)
    }

    /// Waits until the gate is open, and counts the cancellations, which do not end the wait.
    private func passGate() async {
        await withTaskCancellationHandler {
            await Task { try? await gate.hold() }.value
        } onCancel: {
            cancellations.next()
        }
    }

    private func service(
        cache: ResponseCache? = nil,
        effects: SystemEffects = SystemEffects(),
        token: (@Sendable () async throws -> String?)?,
        server: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> ProductService {
        .contract(
            user: token.map { .signedIn("ann", token: $0) } ?? .guest,
            networking: networking(server),
            cache: cache,
            retry: RetryBehavior(effects: effects)
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

/// An object that a task and all tasks that it starts inherit, so that a test can wait for their end.
private final class Inheritance: Sendable {
    @TaskLocal private static var current: Inheritance?

    private let end: AsyncStream<Never>.Continuation

    private init(_ end: AsyncStream<Never>.Continuation) {
        self.end = end
    }

    deinit {
        end.finish()
    }

    /// Starts a task.
    ///
    /// - Returns: The task, and a stream that finishes when the task and those that it started have
    ///   ended, also those that nothing waits for.
    static func task(
        _ operation: @escaping @Sendable () async throws -> Void
    ) -> (Task<Void, any Error>, end: AsyncStream<Never>) {
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        let task = $current.withValue(Inheritance(end)) { Task { try await operation() } }
        return (task, stream)
    }
}
