import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenCancellationTests {
    private let endpoint = ActionGate<Void>()
    private let refreshes = Counter()

    // Rule: tokens/token-stays-with-its-user (7)
    @Test func `a cancelled caller throws immediately and the others get the token`() async throws {
        let behavior = refreshingAtGate()
        let first = Task { try await behavior.send { .init(to: $0, accepting: ["new"]) } }
        await endpoint.waitForCalls(1)
        let second = Task { try await behavior.send { .init(to: $0, accepting: ["new"]) } }

        first.cancel()

        await #expect(throws: CancellationError.self) { try await first.value }
        endpoint.open()
        #expect(try await second.value.statusCode == 200)
        #expect(refreshes.count == 1)
    }

    // Rule: tokens/token-stays-with-its-user (7)
    @Test func `a refresh continues after all callers are cancelled, and later callers join it`()
        async throws
    {
        let behavior = refreshingAtGate()
        let early = (0..<10).map { _ in
            Task { try await behavior.send { .init(to: $0, accepting: ["new"]) } }
        }
        await endpoint.waitForCalls(1)
        for task in early { task.cancel() }
        for task in early {
            await #expect(throws: CancellationError.self) { try await task.value }
        }

        let late = Task { try await behavior.send { .init(to: $0, accepting: ["new"]) } }
        endpoint.open()

        #expect(try await late.value.statusCode == 200)
        #expect(refreshes.count == 1)
    }

    // Rule: tokens/token-stays-with-its-user (7)
    @Test func `a caller that waits for a refresh is cancelled without sending`() async throws {
        let time = ManualClock()
        let token = AccessToken("old", expiry: time.date)
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: { token },
            refresh: { _ in
                try await endpoint.hold()
                return "new"
            }
        )
        let task = Task {
            try await behavior.send { _ in
                Issue.record("A request was sent.")
                return NetworkResponse()
            }
        }
        await endpoint.waitForCalls(1)

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        endpoint.open()
    }

    // Rule: tokens/refresh-is-not-signed (6)
    @Test(arguments: [false, true])
    func `a request of the refresh is not signed and does not wait`(hasExpired: Bool) async throws {
        let time = ManualClock()
        let current = Mutex(AccessToken("old", expiry: hasExpired ? time.date : nil))
        let itself = Mutex<TokenBehavior?>(nil)
        let tokens = Mutex<[String?]>([])
        let server: @Sendable (URLRequest) -> NetworkResponse = { request in
            tokens.withLock { $0.append(request.token) }
            guard request.httpMethod == "GET" else { return NetworkResponse(statusCode: 201) }
            return NetworkResponse(to: request, accepting: ["new"])
        }
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: { current.withLock { $0 } },
            refresh: { _ in
                let response = try await itself.withLock { $0 }?
                    .send(OutgoingRequest("POST")) { server($0) }
                #expect(response?.statusCode == 201)
                current.withLock { $0 = "new" }
                return "new"
            }
        )
        itself.withLock { $0 = behavior }

        let response = try await behavior.send { server($0) }

        itself.withLock { $0 = nil }
        #expect(response.statusCode == 200)
        #expect(tokens.withLock { $0 } == (hasExpired ? [] : ["old"]) + [nil, "new"])
    }

    // Rule: tokens/refresh-is-not-signed (6)
    @Test func `a task that a refresh starts is signed with the new token`() async throws {
        let current = Mutex<AccessToken>("old")
        let itself = Mutex<TokenBehavior?>(nil)
        let later = Mutex<Task<NetworkResponse?, any Error>?>(nil)
        let gate = ActionGate<Void>()
        let again: @Sendable () async throws -> NetworkResponse? = {
            try await gate.hold()
            return try await itself.withLock { $0 }?.send { .init(to: $0, accepting: ["new"]) }
        }
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { current.withLock { $0 } },
            refresh: { _ in
                current.withLock { $0 = "new" }
                later.withLock { task in
                    task = Task { try await again() }
                }
                return "new"
            }
        )
        itself.withLock { $0 = behavior }
        _ = try await behavior.send { .init(to: $0, accepting: ["new"]) }

        gate.open()

        #expect(try await later.withLock { $0 }?.value?.statusCode == 200)
        itself.withLock { $0 = nil }
    }

    /// A behavior with an old token, whose refresh waits for the gate.
    private func refreshingAtGate() -> TokenBehavior {
        let hasNew = Mutex(false)
        return TokenBehavior(
            effects: ManualClock().effects(),
            token: { hasNew.withLock { $0 } ? "new" : "old" },
            refresh: { _ in
                refreshes.next()
                try await endpoint.hold()
                hasNew.withLock { $0 = true }
                return "new"
            }
        )
    }
}
