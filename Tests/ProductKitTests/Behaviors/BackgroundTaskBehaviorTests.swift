import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BackgroundTaskBehaviorTests {
    @Test func `a task is held for as long as the exchange lasts`() async throws {
        let lines = Mutex<[String]>([])
        let behavior = BackgroundTaskBehavior(
            begin: { _ in
                lines.withLock { $0.append("begin") }
                return 7
            },
            end: { (identifier: Int) in lines.withLock { $0.append("end \(identifier)") } }
        )

        let response = try await behavior.send { _ in
            lines.withLock { $0.append("exchange") }
            return NetworkResponse(statusCode: 204)
        }

        #expect(response == NetworkResponse(statusCode: 204))
        #expect(lines.withLock { $0 } == ["begin", "exchange", "end 7"])
    }

    @Test func `a failed exchange ends its task`() async throws {
        let lines = try await linesOfSend { _ in throw URLError(.timedOut) }

        #expect(lines == ["begin", "end"])
    }

    @Test func `a cancelled exchange ends its task`() async throws {
        let lines = try await linesOfSend { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await withCancellableCompletion { _ in {} }
        }

        #expect(lines == ["begin", "end"])
    }

    @Test func `an expiry ends the task once and the request goes on`() async throws {
        let lines = Mutex<[String]>([])
        let expiry = Mutex<(@Sendable () -> Void)?>(nil)
        let behavior = BackgroundTaskBehavior(
            begin: { expire in expiry.withLock { $0 = expire } },
            end: { lines.withLock { $0.append("end") } }
        )

        let response = try await behavior.send { _ in
            let expire = expiry.withLock { $0 }
            expire?()
            lines.withLock { $0.append("after expiry") }
            return NetworkResponse(statusCode: 204)
        }

        #expect(response == NetworkResponse(statusCode: 204))
        #expect(lines.withLock { $0 } == ["end", "after expiry"])
    }

    @Test func `an expiry before the task has its name ends it once it has`() async throws {
        let lines = Mutex<[String]>([])
        let behavior = BackgroundTaskBehavior(
            begin: { expire in
                expire()
                lines.withLock { $0.append("begun") }
            },
            end: { lines.withLock { $0.append("end") } }
        )

        _ = try await behavior.send { _ in
            lines.withLock { $0.append("exchange") }
            return NetworkResponse()
        }

        #expect(lines.withLock { $0 } == ["begun", "end", "exchange"])
    }

    @Test func `an expiry after the end, or a second one, ends nothing`() async throws {
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

    @Test func `an expiry that races with the answer ends the task once`() async throws {
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

    @Test func `every exchange has a task of its own`() async throws {
        let names = Mutex(["b", "a"])
        let ended = Mutex<[String]>([])
        let behavior = BackgroundTaskBehavior(
            begin: { _ in names.withLock { $0.removeLast() } },
            end: { (name: String) in ended.withLock { $0.append(name) } }
        )

        _ = try await behavior.send { request in
            try await behavior.send(request) { _ in NetworkResponse() }
        }

        #expect(ended.withLock { $0 } == ["b", "a"])
    }

    @Test func `outermost, one task covers all exchanges of a send`() async throws {
        let lines = try await linesOfSend(
            inner: ClosureBehavior(intercept: { request, next in
                _ = try await next(request)
                return try await next(request)
            })
        ) { _ in NetworkResponse(statusCode: 503) }

        #expect(lines == ["begin", "end"])
    }

    /// What a send that fails does to its background task.
    private func linesOfSend(
        inner: ClosureBehavior = ClosureBehavior(),
        _ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) async throws -> [String] {
        let lines = Mutex<[String]>([])
        let behavior = BackgroundTaskBehavior(
            begin: { _ in lines.withLock { $0.append("begin") } },
            end: { lines.withLock { $0.append("end") } }
        )
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure(respond),
            behaviors: [behavior, inner]
        )
        let task = Task { try await client.send(.boots) }
        await #expect(throws: (any Error).self) { try await task.value }
        return lines.withLock { $0 }
    }
}
