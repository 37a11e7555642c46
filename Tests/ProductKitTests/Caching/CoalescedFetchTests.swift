import Foundation
import ProductKit
import Synchronization
import Testing

/// Fetches that a ``CoalescingBehavior`` inside of the cache may combine.
@Suite(.serialized, .timeLimit(.minutes(5)))
final class CoalescedFetchTests: Sendable {
    private let cache = ResponseCache()
    private let gate = ActionGate<Void>()
    private let user = Mutex("anna")
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
    @Test func `a request after an invalidation does not join an earlier fetch`() async throws {
        let client = client()
        let earlier = Task { try await client.send(.things) }
        await gate.waitForCalls(1)

        cache.invalidate(.api.appending(path: "things"), partition: "anna")
        let later = Task { try await client.send(.things) }
        await gate.waitForCalls(1)
        gate.open()

        #expect(Set([try await earlier.value, try await later.value]).count == 2)
        #expect(try await client.send(.things.fetching(.cacheOnly)) == "2 for anna")
    }

    // Rule: cache/invalidation-precedes-return (43)
    @Test(arguments: [
        ("Range", "bytes=0-0"), ("If-None-Match", "\"1\""), ("Cache-Control", "no-store"),
    ])
    func `a forwarded request after an invalidation does not join an earlier one`(
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
    }

    @Test func `nothing is stored while the partition is nil`() async throws {
        let caching = CachingBehavior(cache: cache, partition: { nil })
        gate.open()
        let client = client(caching)

        for _ in 0..<2 { _ = try await client.send(.things) }

        #expect(requests.count == 2 && cache.summaries().isEmpty)
    }

    // Rule: cache/invalidation-precedes-return (43); cache/earlier-response-is-not-stored (48)
    @Test func `the response of a later fetch is kept on disk when memory has no room`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = ResponseCache(byteLimit: 0, directory: folder)
        let behavior = CachingBehavior(cache: cache, partition: { "" })
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { [gate, requests] request in
                let number = requests.next()
                if number == 1 { try await gate.hold() }
                return .fresh("response \(number)", to: request)
            },
            behaviors: [behavior]
        )
        let first = Task { try await client.send(.things) }
        await gate.waitForCalls(1)
        _ = try await client.send(.things)
        gate.open()
        _ = try await first.value
        cache.flush()

        #expect(try await client.send(.things.fetching(.cacheOnly)) == "response 2")
    }

    private func client(_ caching: CachingBehavior? = nil) -> NetworkClient {
        let caching =
            caching ?? CachingBehavior(cache: cache, partition: { [self] in user.withLock(\.self) })
        return NetworkClient(
            baseURL: .api,
            networking: .closure { [self] request in
                let number = requests.next()
                let name = user.withLock(\.self)
                try await gate.hold()
                return .fresh("\(number) for \(name)", to: request)
            },
            behaviors: [caching, CoalescingBehavior { "" }]
        )
    }
}

extension NetworkRequest<String> {
    fileprivate static let things = NetworkRequest(method: "GET", segments: ["things"]) {
        String(decoding: $0.body, as: UTF8.self)
    }
}

extension NetworkResponse {
    fileprivate static func fresh(_ text: String, to request: URLRequest) -> NetworkResponse {
        NetworkResponse(
            headers: ["Cache-Control": "max-age=600"],
            body: Data(text.utf8),
            url: request.url
        )
    }
}
