import Foundation
import ProductKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Questions that share an answer inside of a cache, as ``CoalescingBehavior`` lets them.
@Suite(.timeLimit(.minutes(5)))
final class SharedQuestionTests: Sendable {
    private let cache = ResponseCache()
    private let gate = Gate()
    private let user = Mutex("anna")
    private let asked = Counter()

    // Rule: cache/changed-partition-drops-response (39); cache/partitions-are-separate (40)
    @Test func `somebody else never shares the question of who was there before`() async throws {
        let client = client()
        let annas = Task { try await client.send(.things) }
        await gate.arrival()

        user.withLock { $0 = "bert" }
        cache.removeAll()
        let berts = Task { try await client.send(.things) }
        await gate.arrival()
        gate.open()

        await #expect(throws: CancellationError.self) { _ = try await annas.value }
        #expect(try await berts.value == "2 for bert")
        #expect(try await client.send(.things.fetching(.cacheOnly)) == "2 for bert")
    }

    // Rule: cache/invalidation-precedes-return (43); cache/earlier-response-is-not-stored (48)
    @Test func `what was made old is asked anew, whoever is asking already`() async throws {
        let client = client()
        let before = Task { try await client.send(.things) }
        await gate.arrival()

        cache.invalidate(.api.appending(path: "things"), partition: "anna")
        let after = Task { try await client.send(.things) }
        await gate.arrival()
        gate.open()

        #expect(Set([try await before.value, try await after.value]).count == 2)
        #expect(try await client.send(.things.fetching(.cacheOnly)) == "2 for anna")
    }

    @Test func `nobody in particular has nothing stored`() async throws {
        let caching = CachingBehavior(cache: cache, partition: { nil })
        gate.open()
        let client = client(caching)

        for _ in 0..<2 { _ = try await client.send(.things) }

        #expect(asked.count == 2 && cache.entries().isEmpty)
    }

    // Rule: cache/invalidation-precedes-return (43); cache/earlier-response-is-not-stored (48)
    @Test func `the answer to a later question stays, even where memory has no room`() async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = ResponseCache(byteLimit: 0, directory: folder)
        let behavior = CachingBehavior(cache: cache)
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { [gate, asked] request in
                let number = asked.next()
                if number == 1 { try await gate.pass() }
                return .fresh("answer \(number)", to: request)
            },
            behaviors: [behavior]
        )
        let first = Task { try await client.send(.things) }
        await gate.arrival()
        _ = try await client.send(.things)
        gate.open()
        _ = try await first.value
        cache.flush()

        #expect(try await client.send(.things.fetching(.cacheOnly)) == "answer 2")
    }

    private func client(_ caching: CachingBehavior? = nil) -> NetworkClient {
        let caching =
            caching ?? CachingBehavior(cache: cache, partition: { [self] in user.withLock(\.self) })
        return NetworkClient(
            baseURL: .api,
            networking: .closure { [self] request in
                let number = asked.next()
                let name = user.withLock(\.self)
                try await gate.pass()
                return .fresh("\(number) for \(name)", to: request)
            },
            behaviors: [caching, CoalescingBehavior()]
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
