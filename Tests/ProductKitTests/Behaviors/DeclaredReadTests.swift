import Foundation
import ProductKit
import Testing

/// Retries, idempotency keys and coalescing of requests that are declared to be reads.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DeclaredReadTests {
    private let behavior = CoalescingBehavior { "" }
    private let held = HeldRequests()

    // Rule: reads/declared-read-is-like-get (1)
    @Test(arguments: [nil, NetworkError.Code.connectionLost, .timedOut, .incomplete])
    func `a declared read is retried like a GET`(code: NetworkError.Code?) async throws {
        for methods in [nil, ["GET"], ["POST"]] as [Set<String>?] {
            let sends = await RetryBehavior(methods: methods, effects: .skippingDelays)
                .sends(of: try .query("boots")) { _ in
                    guard let code else { return NetworkResponse(statusCode: 503) }
                    throw NetworkError(code)
                }

            #expect(sends == 3)
        }
    }

    // Rule: retry/tuning-keeps-requests-safe (12)
    @Test func `a declared read is not retried if neither its method nor GET may be`() async throws
    {
        let retry = RetryBehavior(methods: ["PUT"], effects: .skippingDelays)

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
        let tasks = await held.start(
            Array(repeating: try .query("boots", as: "search"), count: 16),
            through: behavior
        )

        held.gate.open()

        for task in tasks { #expect(try await task.value.statusCode == 201) }
        #expect(held.sends.count == 1)
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

        let tasks = await held.start(requests, through: behavior)
        held.gate.open()

        var statusCodes: Set<Int> = []
        for task in tasks { statusCodes.insert(try await task.value.statusCode) }
        #expect(statusCodes.count == requests.count)
    }

    // Rule: reads/read-is-not-a-write (4)
    @Test(arguments: [true, false])
    func `only a POST that is not declared to be a read ends the sharing of others`(
        isDeclared: Bool
    ) async throws {
        let before = await held.start(
            [OutgoingRequest("GET"), try .query("boots")],
            through: behavior
        )
        var write = try OutgoingRequest.query("hats", as: "hats")
        if !isDeclared {
            write = try NetworkRequest<NetworkResponse>.query("hats").parts.outgoing(
                relativeTo: .api
            )
        }
        _ = try await behavior.send(write) { _ in NetworkResponse() }

        let after = await held.start(
            [OutgoingRequest("GET"), try .query("boots")],
            through: behavior
        )
        held.gate.open()

        for task in before + after { _ = try await task.value }
        #expect(held.sends.count == (isDeclared ? 2 : 4))
    }
}
