import Foundation
import ProductKit
import Synchronization
import Testing

/// Fetches that a ``CoalescingBehavior`` inside of the cache may combine.
@Suite(.serialized, .timeLimit(.minutes(5))) final class CoalescedFetchTests: Sendable {
    private let cache = ResponseCache()
    private let disk = TemporaryDisk()
    private let gate = ActionGate<Void>()
    private let user = Mutex<String?>("anna")
    private let requests = Counter()

    // Rule: cache/changed-partition-drops-response (39); cache/partitions-are-separate (40)
    @Test(arguments: [true, false])
    func `a request of another user does not join a fetch of the previous user`(
        emptiesCache: Bool
    ) async throws {
        let client = client()
        let annasResponse = Task { try await client.send(.things) }
        await gate.waitForCalls(1)

        user.withLock { $0 = "bert" }
        if emptiesCache { cache.removeAll() }
        let bertsResponse = Task { try await client.send(.things) }
        await gate.waitForCalls(1)
        gate.open()

        await #expect(throws: CancellationError.self) { _ = try await annasResponse.value }
        #expect(try await bertsResponse.value == "2 for bert")
        #expect(try await client.send(.things.fetching(.cacheOnly)) == "2 for bert")
    }

    // Rule: cache/invalidation-precedes-return (43); cache/earlier-response-is-not-stored (48)
    // All but the first are forwarded, and not stored.
    @Test(arguments: [
        ("X-Any", "1"), ("Range", "bytes=0-0"), ("If-None-Match", "\"1\""),
        ("Cache-Control", "no-store"),
    ])
    func `a request after an invalidation does not join an earlier fetch`(
        name: String,
        value: String
    ) async throws {
        let client = client()
        let request = NetworkRequest.things.header(name, value)
        let earlier = Task { try await client.send(request) }
        await gate.waitForCalls(1)

        cache.invalidate(.api.appending(path: "things"), partition: "anna")
        let later = Task { try await client.send(request) }
        await gate.waitForCalls(1)
        gate.open()

        #expect(Set([try await earlier.value, try await later.value]).count == 2)
        let stored = try? await client.send(.things.fetching(.cacheOnly))
        #expect(stored == (name == "X-Any" ? "2 for anna" : nil))
    }

    // Rule: cache/earlier-response-is-not-stored (48)
    @Test func `a request does not join one that was sent before a stored response`() async throws {
        let client = NetworkClient(
            behaviors: [
                CachingBehavior(cache: cache, partition: { "anna" }), CoalescingBehavior { "" },
            ]
        ) { [gate, requests] _ in
            let number = requests.next()
            if number == 1 { try await gate.hold() }
            return .json("\(number)")
        }
        let request = NetworkRequest<Int>.get("things")
        let earlier = Task { try await client.send(request) }
        await gate.waitForCalls(1)
        #expect(try await client.send(request.fetching(.revalidate)) == 2)

        let executor = SerialTaskExecutor()
        let later = Task(executorPreference: executor) { try await client.send(request) }
        await executor.waitUntilIdle()
        gate.open()

        #expect(try await later.value == 3)
        #expect(try await earlier.value == 1)
        #expect(try await client.send(request.fetching(.cacheOnly)) == 3)
    }

    // Rule: coalescing/equal-gets-share-a-request (1)
    @Test func `callers that have stored a shared response share the next request, too`()
        async throws
    {
        let client = NetworkClient(
            behaviors: [
                CachingBehavior(cache: cache, partition: { "anna" }), CoalescingBehavior { "" },
                RetryBehavior(),
            ]
        ) { [gate, requests] _ in
            requests.next()
            try await gate.hold()
            return .json("7")
        }
        let executor = SerialTaskExecutor()
        let callers = (0..<10).map { _ in
            Task(executorPreference: executor) {
                for _ in 0..<2 {
                    _ = try await client.send(NetworkRequest<Int>.get("things"))
                }
            }
        }
        for count in 1...2 {
            await gate.waitForCalls(1)
            await executor.waitUntilIdle()
            #expect(requests.count == count)
            if count == 1 { try gate.release(returning: ()) }
        }
        gate.open()
        for caller in callers { try await caller.value }

        #expect(requests.count == 2)
    }

    @Test func `nothing is stored while the partition is nil`() async throws {
        user.withLock { $0 = nil }
        gate.open()

        for _ in 0..<2 { _ = try await client().send(.things) }

        #expect(requests.count == 2 && cache.summaries().isEmpty)
    }

    // Rule: cache/invalidation-precedes-return (43); cache/earlier-response-is-not-stored (48)
    @Test func `the response of a later fetch is kept on disk when memory has no room`()
        async throws
    {
        let client = disk.launch(byteLimit: 0)
        let first = Task {
            try await client.send { [gate] _ in
                try await gate.hold()
                return .fresh("earlier")
            }
        }
        await gate.waitForCalls(1)
        try await client.store("later")
        gate.open()
        _ = try await first.value
        disk.flush()

        #expect(try await client.send(policy: .cacheOnly).text == "later")
    }

    private func client() -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { [self] _ in
                let number = requests.next()
                let name = user.withLock(\.self) ?? "nobody"
                try await gate.hold()
                return .fresh("\(number) for \(name)")
            },
            behaviors: [
                CachingBehavior(cache: cache, partition: { [self] in user.withLock(\.self) }),
                CoalescingBehavior { "" },
            ]
        )
    }
}

extension NetworkRequest<String> {
    fileprivate static let things = NetworkRequest(method: "GET", segments: ["things"]) { $0.text }
}
