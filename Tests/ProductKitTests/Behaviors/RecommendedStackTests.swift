import Foundation
import ProductKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The law of cancellation through logging, activity, coalescing, retry and token together.
@Suite(.timeLimit(.minutes(5)))
struct RecommendedStackTests {
    enum Place: CaseIterable {
        case answer, delay, refresh
    }

    private let gate = Gate()
    private let sends = Counter()
    private let log = Lines()

    // Rule: cancellation/always-cancellation-error (1)
    @Test(arguments: Place.allCases)
    func `a cancelled send leaves as a cancellation and nothing else`(place: Place) async throws {
        let client = client(halting: place)
        let task = Task { try await client.send(.boots) }
        await gate.arrival()

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 1)
        #expect(
            log.all == [
                "active", "GET https://api.example.com/v1/products/walking-boots sending",
                "GET https://api.example.com/v1/products/walking-boots cancelled after 0.0 ms",
                "inactive", "failure CancellationError()",
            ]
        )
    }

    // Rule: cancellation/always-cancellation-error (1)
    @Test(arguments: Place.allCases)
    func `of two callers the cancelled one leaves and the other gets the product`(
        place: Place
    ) async throws {
        let client = client(halting: place)
        let lane = Lane()
        let first = Task(executorPreference: lane) { try await client.send(.boots) }
        let second = Task(executorPreference: lane) { try await client.send(.boots) }
        await gate.arrival()
        await lane.settle()

        first.cancel()

        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value == .boots)
        #expect(sends.count == (place == .answer ? 1 : 2))
        #expect(log.all.count { $0.contains("cancelled") } == 1)
        #expect(log.all.count { $0.contains("answered 200") } == 1)
        #expect(!log.all.contains { $0.contains("failed") })
        #expect(log.all.last == "inactive")
    }

    // Rule: cancellation/always-cancellation-error (1)
    @Test func `a system cancellation of a cancelled task is a cancellation, too`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                sends.next()
                withUnsafeCurrentTask { $0?.cancel() }
                throw URLError(.cancelled)
            },
            behaviors: behaviors(halting: nil)
        )

        await #expect(throws: CancellationError.self) { try await client.send(.boots) }

        #expect(sends.count == 1)
        #expect(log.all.contains("failure CancellationError()"))
        #expect(!log.all.contains { $0.contains("failed") })
    }

    // Rule: retry/three-attempts (3); tokens/one-refresh-for-all (1)
    // Rule: coalescing/equal-gets-share-a-request (1)
    @Test func `everything works together`() async throws {
        let answers = Mutex([503, 401, 200])
        let tokens = Mutex<[String?]>([])
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                tokens.withLock { $0.append(request.token) }
                let statusCode = answers.withLock { $0.removeFirst() }
                return try NetworkResponse(statusCode: statusCode, json: Product.boots)
            },
            behaviors: behaviors(halting: nil)
        )

        #expect(try await client.send(.boots) == .boots)

        #expect(tokens.withLock { $0 } == ["old", "old", "new"])
        #expect(log.all.contains { $0.hasSuffix("after 2 attempts") })
        #expect(log.all.last == "inactive")
    }

    /// A client whose first request halts at a place.
    private func client(halting place: Place) -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                let number = sends.next()
                if place == .answer { try await gate.pass() }
                switch (place, number) {
                case (.delay, 1): return NetworkResponse(statusCode: 503)
                case (.refresh, 1): return NetworkResponse(statusCode: 401)
                default: return try NetworkResponse(json: Product.boots)
                }
            },
            behaviors: behaviors(halting: place)
        )
    }

    private func behaviors(halting place: Place?) -> [any RequestBehavior] {
        let token = Mutex<AccessToken>("old")
        var effects = Timeline().effects()
        effects.sleep = { _ in if place == .delay { try await gate.pass() } }
        return [
            LoggingBehavior(effects: effects) { [log] event in log.add(event.description) },
            ClosureBehavior(afterFailure: { [log] error in log.add("failure \(error)") }),
            ActivityBehavior { [log] isActive in log.add(isActive ? "active" : "inactive") },
            IdempotencyKeyBehavior(),
            CoalescingBehavior(),
            RetryBehavior(effects: effects),
            TokenBehavior(
                token: { token.withLock { $0 } },
                refresh: { _ in
                    if place == .refresh { try await gate.pass() }
                    token.withLock { $0 = "new" }
                    return "new"
                }
            ),
        ]
    }
}
