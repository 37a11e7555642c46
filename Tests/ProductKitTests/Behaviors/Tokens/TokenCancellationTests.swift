import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenCancellationTests {
    private let store = TokenStore()
    private let endpoint = ActionGate<Void>()

    /// A behavior whose refresh waits for the gate.
    private var refreshingAtGate: TokenBehavior {
        store.behavior { _ in
            try await endpoint.hold()
            return "new"
        }
    }

    // Rule: tokens/token-stays-with-its-user (7)
    @Test func `a refresh continues after all callers are cancelled, and later callers join it`()
        async throws
    {
        let behavior = refreshingAtGate
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
        #expect(store.refreshes.count == 1)
    }

    // Rule: tokens/token-stays-with-its-user (7)
    @Test func `a caller that waits for a refresh is cancelled without sending`() async throws {
        store.current = store.token("old", expiringIn: 0)
        let behavior = refreshingAtGate
        let task = Task { try await behavior.send { store.response(to: $0) } }
        await endpoint.waitForCalls(1)

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        endpoint.open()
        #expect(store.sent.isEmpty)
    }

    // Rule: tokens/refresh-is-not-signed (6)
    @Test(arguments: [false, true])
    func `a request of the refresh is not signed and does not wait`(hasExpired: Bool) async throws {
        if hasExpired { store.current = store.token("old", expiringIn: 0) }
        let itself = Mutex<TokenBehavior?>(nil)
        let behavior = store.behavior { _ in
            _ = try await itself.withLock { $0 }?.send { store.response(to: $0) }
            return "new"
        }
        itself.withLock { $0 = behavior }

        let response = try await behavior.send { store.response(to: $0, accepting: ["new"]) }

        itself.withLock { $0 = nil }
        #expect(response.statusCode == 200)
        #expect(store.sent == (hasExpired ? [] : ["old"]) + [nil, "new"])
    }

    // Rule: tokens/refresh-is-not-signed (6)
    @Test(arguments: [true, false])
    func `a task that a refresh has started is signed with the current token`(
        succeeds: Bool
    ) async throws {
        let itself = Mutex<TokenBehavior?>(nil)
        let later = Mutex<Task<NetworkResponse?, any Error>?>(nil)
        let again: @Sendable () async throws -> NetworkResponse? = {
            try await endpoint.hold()
            let accepted = succeeds ? "new" : "old"
            return try await itself.withLock { $0 }?.send { .init(to: $0, accepting: [accepted]) }
        }
        let behavior = store.behavior { _ in
            later.withLock { task in
                task = Task { try await again() }
            }
            guard succeeds else { throw NetworkError(.unreachable) }
            return "new"
        }
        itself.withLock { $0 = behavior }
        let response = try? await behavior.send { .init(to: $0, accepting: ["new"]) }
        #expect((response != nil) == succeeds)

        endpoint.open()

        #expect(try await later.withLock { $0 }?.value?.statusCode == 200)
        itself.withLock { $0 = nil }
    }
}
