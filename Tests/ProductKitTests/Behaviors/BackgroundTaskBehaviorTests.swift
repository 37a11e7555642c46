import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct BackgroundTaskBehaviorTests {
    @Test func `the background task lasts as long as the request`() async throws {
        let calls = Mutex<[String]>([])
        let behavior = BackgroundTaskBehavior(
            begin: { _ in
                calls.withLock { $0.append("begin") }
                return 7
            },
            end: { (identifier: Int) in calls.withLock { $0.append("end \(identifier)") } }
        )

        let response = try await behavior.send { _ in
            calls.withLock { $0.append("exchange") }
            return NetworkResponse(statusCode: 204)
        }

        #expect(response == NetworkResponse(statusCode: 204))
        #expect(calls.withLock { $0 } == ["begin", "exchange", "end 7"])
    }

    @Test func `a failed request ends its background task`() async throws {
        let calls = try await callsOfRequest { _ in throw URLError(.timedOut) }

        #expect(calls == ["begin", "end"])
    }

    @Test func `a cancelled request ends its background task`() async throws {
        let calls = try await callsOfRequest { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await withCancellableCompletion { _ in {} }
        }

        #expect(calls == ["begin", "end"])
    }

    @Test func `an expiry ends the background task and not the request`() async throws {
        let calls = Mutex<[String]>([])
        let expiry = Mutex<(@Sendable () -> Void)?>(nil)
        let behavior = BackgroundTaskBehavior(
            begin: { expire in expiry.withLock { $0 = expire } },
            end: { calls.withLock { $0.append("end") } }
        )

        let response = try await behavior.send { _ in
            let expire = expiry.withLock { $0 }
            expire?()
            calls.withLock { $0.append("after expiry") }
            return NetworkResponse(statusCode: 204)
        }

        #expect(response == NetworkResponse(statusCode: 204))
        #expect(calls.withLock { $0 } == ["end", "after expiry"])
    }

    @Test func `an expiry before begin returns ends the task when it returns`() async throws {
        let calls = Mutex<[String]>([])
        let behavior = BackgroundTaskBehavior(
            begin: { expire in
                expire()
                calls.withLock { $0.append("began") }
            },
            end: { calls.withLock { $0.append("end") } }
        )

        _ = try await behavior.send { _ in
            calls.withLock { $0.append("exchange") }
            return NetworkResponse()
        }

        #expect(calls.withLock { $0 } == ["began", "end", "exchange"])
    }

    @Test func `an expiry after the end and a second expiry have no effect`() async throws {
        let ends = Counter()
        let expiry = Mutex<(@Sendable () -> Void)?>(nil)
        let behavior = BackgroundTaskBehavior(
            begin: { expire in expiry.withLock { $0 = expire } },
            end: { ends.next() }
        )
        _ = try await behavior.send { _ in NetworkResponse() }
        let expire = try #require(expiry.withLock { $0 })

        expire()
        expire()

        #expect(ends.count == 1)
    }

    @Test func `an expiry that races with the response ends the task once`() async throws {
        for _ in 0..<200 {
            let ends = Counter()
            let expiry = Mutex<(@Sendable () -> Void)?>(nil)
            let behavior = BackgroundTaskBehavior(
                begin: { expire in expiry.withLock { $0 = expire } },
                end: { ends.next() }
            )

            try await withThrowingTaskGroup { group in
                let (begun, begin) = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    _ = try await behavior.send { _ in
                        begin.yield()
                        return NetworkResponse()
                    }
                }
                _ = await begun.first { _ in true }
                let expire = try #require(expiry.withLock { $0 })
                expire()
                try await group.waitForAll()
            }

            #expect(ends.count == 1)
        }
    }

    @Test func `each request has its own background task`() async throws {
        let identifiers = Mutex(["b", "a"])
        let ended = Mutex<[String]>([])
        let behavior = BackgroundTaskBehavior(
            begin: { _ in identifiers.withLock { $0.removeLast() } },
            end: { (identifier: String) in ended.withLock { $0.append(identifier) } }
        )

        _ = try await behavior.send { _ in
            try await behavior.send { _ in NetworkResponse() }
        }

        #expect(ended.withLock { $0 } == ["b", "a"])
    }

    @Test func `one background task covers all exchanges inside of it`() async throws {
        let calls = try await callsOfRequest(
            inner: ClosureBehavior(intercept: { request, next in
                _ = try await next(request)
                return try await next(request)
            })
        ) { _ in NetworkResponse(statusCode: 503) }

        #expect(calls == ["begin", "end"])
    }

    /// The calls of begin and end for a request that fails.
    private func callsOfRequest(
        inner: ClosureBehavior = ClosureBehavior(),
        _ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) async throws -> [String] {
        let calls = Mutex<[String]>([])
        let behavior = BackgroundTaskBehavior(
            begin: { _ in calls.withLock { $0.append("begin") } },
            end: { calls.withLock { $0.append("end") } }
        )
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure(respond),
            behaviors: [behavior, inner]
        )
        let task = Task { try await client.send(.boots) }
        await #expect(throws: (any Error).self) { try await task.value }
        return calls.withLock { $0 }
    }
}
