import Foundation
import ProductKit
import Testing

/// Retries, idempotency keys and coalescing of requests that are declared to be reads.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DeclaredReadTests {
    private let executor = SerialTaskExecutor()
    private let sends = Counter()
    private let gate = ActionGate<Void>()

    // Rule: reads/declared-read-is-like-get (1)
    @Test(arguments: [nil, NetworkError.Code.connectionLost, .timedOut, .incomplete])
    func `a declared read is retried like a GET`(code: NetworkError.Code?) async throws {
        for methods in [nil, ["GET"], ["POST"]] as [Set<String>?] {
            let retry = RetryBehavior(
                methods: methods,
                effects: ManualClock(skipsDelays: true).effects()
            )

            let sends = await retry.sends(of: try .query("boots")) { _ in
                guard let code else { return NetworkResponse(statusCode: 503) }
                throw NetworkError(code)
            }

            #expect(sends == 3)
        }
    }

    // Rule: retry/tuning-keeps-requests-safe (12)
    @Test func `a declared read is not retried if neither its method nor GET may be`() async throws
    {
        let retry = RetryBehavior(
            methods: ["PUT"],
            effects: ManualClock(skipsDelays: true).effects()
        )

        #expect(await retry.sends(of: try .query("a")) { _ in .init(statusCode: 503) } == 1)
    }

    // Rule: reads/declared-read-is-like-get (1)
    @Test func `a declared read gets no Idempotency-Key`() async throws {
        let request = try OutgoingRequest.query("boots")
        let unchanged = try request.urlRequest()

        _ = try await IdempotencyKeyBehavior().send(request) { sent in
            #expect(sent == unchanged)
            return NetworkResponse()
        }
    }

    // Rule: reads/declared-read-is-like-get (1)
    @Test func `concurrent equal reads share one request`() async throws {
        let tasks = await start(Array(repeating: try .query("boots", as: "search"), count: 16))

        gate.open()

        for task in tasks { #expect(try await task.value.statusCode == 201) }
        #expect(sends.count == 1)
    }

    // Rule: reads/body-is-part-of-identity (2)
    @Test func `reads with another body, name, method or media type are not shared`() async throws {
        var form = try OutgoingRequest.query("boots", as: "search")
        form.headers["Content-Type"] = "text/plain"
        var other = try OutgoingRequest.query("boots", as: "search")
        other.method = "QUERY"
        let requests = try [
            .query("boots", as: "search"), .query("hats", as: "search"), .query("boots"),
            .query("boots", as: "Search"), .query("", as: "search"), form, other,
        ]

        let tasks = await start(requests)
        gate.open()

        var statusCodes: Set<Int> = []
        for task in tasks { statusCodes.insert(try await task.value.statusCode) }
        #expect(statusCodes.count == requests.count)
    }

    // Rule: reads/read-is-not-a-write (4)
    @Test(arguments: [true, false])
    func `only a POST that is not declared to be a read ends the sharing of others`(
        isDeclared: Bool
    ) async throws {
        let before = await start([OutgoingRequest("GET"), try .query("boots")])
        var write = try OutgoingRequest.query("hats", as: "hats")
        if !isDeclared {
            write = try NetworkRequest<NetworkResponse>.query("hats").parts.outgoing(
                relativeTo: .api
            )
        }
        _ = try await behavior.send(write) { _ in NetworkResponse() }

        let after = await start([OutgoingRequest("GET"), try .query("boots")])
        gate.open()

        for task in before + after { _ = try await task.value }
        #expect(sends.count == (isDeclared ? 2 : 4))
    }

    // Rule: reads/declared-read-is-like-get (1)
    @Test func `a cancelled caller of a shared read leaves it to the others`() async throws {
        let tasks = await start(Array(repeating: try .query("boots"), count: 2))

        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        gate.open()

        #expect(try await tasks[1].value.statusCode == 201)
        #expect(sends.count == 1)
    }

    private let behavior = CoalescingBehavior { "" }

    /// Starts requests and returns when their callers wait; the first status code is 201.
    private func start(_ requests: [OutgoingRequest]) async -> [Task<NetworkResponse, any Error>] {
        let tasks = requests.map { request in
            Task(executorPreference: executor) { [sends, gate, behavior] in
                try await behavior.send(request) { _ in
                    let number = sends.next()
                    try await gate.hold()
                    return NetworkResponse(statusCode: 200 + number)
                }
            }
        }
        await executor.waitUntilIdle()
        return tasks
    }
}
