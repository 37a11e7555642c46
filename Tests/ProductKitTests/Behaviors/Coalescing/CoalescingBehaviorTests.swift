import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CoalescingBehaviorTests {
    private static let query = URLQueryItem(name: "q", value: "boots")
    private static let german = ["Accept-Language": "de"]
    private let held = HeldRequests()
    private let sixteen = Array(repeating: OutgoingRequest("GET"), count: 16)

    // Rule: coalescing/equal-gets-share-a-request (1)
    @Test func `sixteen callers share one request and its response`() async throws {
        let tasks = await held.start(sixteen) { number in
            NetworkResponse(statusCode: 200 + number, body: Data("boots".utf8))
        }

        held.gate.open()

        let response = NetworkResponse(statusCode: 201, body: Data("boots".utf8))
        for task in tasks { #expect(try await task.value == response) }
        #expect(held.sends.count == 1)
    }

    // Rule: coalescing/equal-gets-share-a-request (1)
    @Test func `sixteen callers share one error`() async throws {
        let tasks = await held.start(sixteen) { number in
            throw UnsupportedOperation("request \(number)")
        }

        held.gate.open()

        for task in tasks {
            await #expect(throws: UnsupportedOperation("request 1")) { try await task.value }
        }
        #expect(held.sends.count == 1)
    }

    // Rule: coalescing/equal-gets-share-a-request (1)
    @Test(arguments: [
        OutgoingRequest("GET", .api.appending(path: "x"), headers: german),
        OutgoingRequest("GET", .api.appending(queryItems: [query]), headers: german),
        OutgoingRequest("GET", headers: ["Accept-Language": "fr"]),
        OutgoingRequest("GET", headers: ["Accept-Language": "de", "X-More": ""]),
        OutgoingRequest("GET"),
    ])
    func `requests with different URLs or headers are not shared`(
        other: OutgoingRequest
    ) async throws {
        let one = OutgoingRequest("GET", headers: Self.german)

        let tasks = await held.start([one, other, one, other])
        held.gate.open()

        let statusCodes = try await statusCodes(of: tasks)
        #expect(Array(statusCodes[..<2]) == Array(statusCodes[2...]))
        #expect(Set(statusCodes) == [201, 202])
    }

    // Rule: coalescing/equal-gets-share-a-request (1)
    @Test func `requests of different partitions are not shared`() async throws {
        let users = Mutex(["ann", "bob", "ann", "bob"])
        let behavior = CoalescingBehavior { users.withLock { $0.removeFirst() } }

        let tasks = await held.start(Array(sixteen.prefix(4)), through: behavior)
        held.gate.open()

        let statusCodes = try await statusCodes(of: tasks)
        #expect(Array(statusCodes[..<2]) == Array(statusCodes[2...]))
        #expect(Set(statusCodes) == [201, 202])
    }

    // Rule: coalescing/no-partition-no-sharing (5)
    @Test func `requests without a partition are not shared`() async throws {
        let behavior = CoalescingBehavior { nil }

        let tasks = await held.start(Array(sixteen.prefix(3)), through: behavior)
        held.gate.open()

        #expect(try await Set(statusCodes(of: tasks)) == [201, 202, 203])
    }

    // Rule: coalescing/equal-gets-share-a-request (1)
    @Test func `a response is not stored for later requests`() async throws {
        let behavior = CoalescingBehavior { "" }
        var sends = 0

        for _ in 0..<3 { sends += await behavior.sends { _ in NetworkResponse() } }
        for _ in 0..<3 { sends += await behavior.sends { _ in throw NetworkError(.timedOut) } }

        #expect(sends == 6)
    }

    // Rule: coalescing/equal-gets-share-a-request (1)
    @Test(arguments: [
        (FetchPolicy.standard, FetchPolicy.cacheFirst, 1), (.revalidate, .networkFirst, 1),
        (.standard, .reload, 2), (.standard, .revalidate, 2), (.revalidate, .reload, 2),
    ])
    func `policies share a request unless the caches after them must treat them differently`(
        one: FetchPolicy,
        other: FetchPolicy,
        count: Int
    ) async throws {
        let tasks = await held.start([one, other].map { OutgoingRequest(url: .api, policy: $0) })
        held.gate.open()

        for task in tasks { _ = try await task.value }
        #expect(held.sends.count == count)
    }

    // Rule: cache/six-policies (58)
    @Test func `a request that only a cache may respond to does not share another one`()
        async throws
    {
        let behavior = CoalescingBehavior { "" }
        let tasks = await held.start(through: behavior)

        let error = await #expect(throws: NetworkError.self) {
            try await behavior.send(OutgoingRequest(url: .api, policy: .cacheOnly)) { _ in
                NetworkResponse()
            }
        }
        held.gate.open()

        #expect(error?.code == .notCached)
        for task in tasks { _ = try await task.value }
    }

    // Rule: coalescing/equal-gets-share-a-request (1)
    @Test func `two behaviors do not share requests`() async throws {
        let (one, other) = (CoalescingBehavior { "" }, CoalescingBehavior { "" })

        let response = try await one.send { _ in
            try await other.send { _ in NetworkResponse(statusCode: 204) }
        }

        #expect(response.statusCode == 204)
    }

    // Rule: coalescing/only-get-is-shared (4)
    @Test(arguments: ["HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE"])
    func `requests with other methods are not shared`(method: String) async throws {
        let tasks = await held.start(Array(repeating: OutgoingRequest(method), count: 3))

        #expect(held.sends.count == 3)
        held.gate.open()

        #expect(try await Set(statusCodes(of: tasks)) == [201, 202, 203])
    }

    // Rule: retry/three-attempts (3); coalescing/equal-gets-share-a-request (1)
    @Test func `all callers share the retry attempts`() async throws {
        let retry = RetryBehavior(effects: .skippingDelays)
        let stack = ClosureBehavior.stack([CoalescingBehavior { "" }, retry])
        let tasks = await held.start(sixteen, through: stack) { _ in .init(statusCode: 503) }

        held.gate.open()

        for task in tasks { #expect(try await task.value.attempts.count == 3) }
        #expect(held.sends.count == 3)
    }

    private func statusCodes(of tasks: [Task<NetworkResponse, any Error>]) async throws -> [Int] {
        var statusCodes: [Int] = []
        for task in tasks { statusCodes.append(try await task.value.statusCode) }
        return statusCodes
    }
}
