import Foundation
import ProductKit
import Testing

/// Tests that services share the retry budget, and the requests of one user only.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductBackendTests {
    private let requests = Counter()

    // Rule: retry/backend-has-one-budget (15)
    @Test func `the services of a backend share its retry budget`() async {
        let backend = ProductBackend(
            baseURL: .api,
            networking: .closure { [requests] _ in
                requests.next()
                throw NetworkError(.unreachable)
            },
            retry: RetryBehavior(effects: ManualClock(skipsDelays: true).effects())
        )

        for number in 0..<100 {
            await #expect(throws: NetworkError.self) {
                try await backend.service(of: "\(number)").loadBoots()
            }
        }

        #expect(requests.count == 100 + 500 / 14)
    }

    // Rule: security/request-belongs-to-one-user (33); security/sign-out-spares-other-services (37)
    @Test func `services share requests of one user only, and end their own`() async throws {
        let gate = ActionGate<Void>()
        let backend = ProductBackend(
            baseURL: .api,
            networking: .closure { [requests] request in
                requests.next()
                try await gate.hold()
                return try .boots(.boots(named: request.token ?? ""), to: request)
            }
        )
        let services = ["ann", "ann", "bob"].map { backend.service(of: $0) }
        let executor = SerialTaskExecutor()
        let loads = services.map { service in
            Task(executorPreference: executor) { try await service.loadBoots().name }
        }
        await gate.waitForCalls(2)
        for _ in 0..<10 { await executor.waitUntilIdle() }
        await services[0].signOut()
        await #expect(throws: CancellationError.self) { try await loads[0].value }
        gate.open()

        #expect(try await loads[1].value == "ann")
        #expect(try await loads[2].value == "bob")
        // The second service sends the request again, with its own token.
        #expect(requests.count == 3)
    }

    // Rule: security/sign-out-spares-other-services (37)
    @Test(arguments: [401, 503])
    func `a shared request continues when the service that started it signs out`(
        statusCode: Int
    ) async throws {
        let gate = ActionGate<Void>()
        let tokens = Lines()
        var effects = ManualClock(skipsDelays: true).effects()
        effects.sleep = { _ in try await gate.hold() }
        let backend = ProductBackend(
            baseURL: .api,
            networking: .closure { request in
                tokens.add(request.token ?? "")
                guard request.token == "second" else {
                    return NetworkResponse(statusCode: statusCode)
                }
                return try .boots(to: request)
            },
            retry: RetryBehavior(effects: effects)
        )
        let executor = SerialTaskExecutor()
        func load(_ token: String) -> (ProductService, Task<Product, any Error>) {
            let user = ServiceUser.signedIn("ann") {
                AccessToken(token)
            } refresh: { _ in
                try await gate.hold()
                return "refreshed"
            }
            let service = backend.service(of: user)
            return (service, Task(executorPreference: executor) { try await service.loadBoots() })
        }
        let (first, firstLoad) = load("first")
        // It waits for the retry or for the refresh.
        await gate.waitForCalls(1)
        let (_, secondLoad) = load("second")
        for _ in 0..<10 { await executor.waitUntilIdle() }
        #expect(tokens.all == ["first"])

        await first.signOut()
        await #expect(throws: CancellationError.self) { try await firstLoad.value }
        gate.open()

        #expect(try await secondLoad.value.id == "walking-boots")
        #expect(tokens.all == ["first", "second"])
    }
}
