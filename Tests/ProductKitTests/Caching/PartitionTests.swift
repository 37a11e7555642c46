import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct PartitionTests {
    private let client = CachedClient()
    private let gate = ActionGate<Void>()

    // Rule: cache/changed-partition-drops-response (39)
    @Test(arguments: [200, 304, 404, 503])
    func `a response is dropped when the partition has changed`(status: Int) async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))

        await #expect(throws: CancellationError.self) {
            try await client.send { [client] _ in
                client.partition = "bert"
                return .text("new", statusCode: status, headers: ["Cache-Control": "max-age=60"])
            }
        }

        #expect(client.cache.summaries().map(\.partition) == [""])
        client.partition = ""
        #expect(try await client.send(policy: .cacheOnly).text == "old")
        #expect(await client.sendsRequest())
    }

    // Rule: cache/changed-partition-drops-response (39)
    @Test(arguments: [["Cache-Control": "no-store"], ["If-None-Match": "\"1\""]])
    func `a response that would not be stored is dropped as well when the partition has changed`(
        headers: [String: String]
    ) async throws {
        for result in [.success(NetworkResponse()), .failure(Offline())] as [Result<_, Offline>] {
            client.partition = "anna"
            await #expect(throws: CancellationError.self) {
                try await client.send(headers: headers) { [client] _ in
                    client.partition = "bert"
                    return try result.get()
                }
            }
        }
    }

    // Rule: cache/changed-partition-drops-response (39)
    @Test(arguments: [FetchPolicy.standard, .cacheFirst, .cacheOnly])
    func `no stored response is served when the partition changes during the lookup`(
        policy: FetchPolicy
    ) async throws {
        let readings = Counter()
        // The partition is read four times for a fetch whose response is stored, and changes after
        // the first reading of the next request.
        let behavior = CachingBehavior(partition: { readings.next() <= 5 ? "anna" : "bert" })
        var request = OutgoingRequest("GET")
        _ = try await behavior.send(request) { _ in
            .text("anna's", headers: ["Cache-Control": "max-age=60"])
        }
        #expect(readings.count == 4)

        request.policy = policy

        await #expect(throws: CancellationError.self) {
            try await behavior.send(request) { _ in .text("bert's") }
        }
    }

    // Rule: cache/changed-partition-drops-response (39)
    @Test func `no stored response is served on error when the partition has changed`() async throws
    {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))

        await #expect(throws: CancellationError.self) {
            try await client.send { [client] _ in
                client.partition = "bert"
                throw NetworkError(.unreachable)
            }
        }
    }

    // Rule: cache/changed-partition-drops-response (39)
    @Test func `the response of an unsafe request is returned when the partition has changed`()
        async throws
    {
        let response = try await client.send("PUT") { [client] _ in
            client.partition = "bert"
            return NetworkResponse(statusCode: 204)
        }

        #expect(response.statusCode == 204)
    }

    // Rule: cache/partitions-are-separate (40); security/stored-responses-stay-with-user (18)
    @Test func `responses of one partition are not served in another`() async throws {
        client.partition = "anna"
        try await client.store("anna's")
        client.partition = "bert"
        #expect(await client.sendsRequest())
        try await client.store("bert's")

        client.partition = "anna"
        #expect(try await client.send().text == "anna's")
        client.partition = "bert"
        #expect(try await client.send().text == "bert's")
        #expect(Set(client.cache.summaries().map(\.partition)) == ["anna", "bert"])
    }

    // Rule: cache/partitions-are-separate (40); cache/success-removes-responses (44)
    @Test func `an unsafe request invalidates nothing in other partitions`() async throws {
        client.partition = "anna"
        try await client.store("anna's")
        client.partition = "bert"
        try await client.store("bert's")

        try await client.send("PUT") { _ in NetworkResponse(statusCode: 204) }

        #expect(await client.sendsRequest())
        client.partition = "anna"
        #expect(await !client.sendsRequest())
    }

    // Rule: cache/changed-partition-drops-response (39); cache/success-removes-responses (44)
    @Test
    func `an unsafe request invalidates both partitions when the partition changes in flight`()
        async throws
    {
        for user in ["anna", "bert"] {
            client.partition = user
            try await client.store()
        }
        client.partition = "anna"

        try await client.send("PUT") { [client] _ in
            client.partition = "bert"
            return NetworkResponse(statusCode: 204)
        }

        #expect(client.cache.summaries().isEmpty)
    }

    // Rule: cache/partitions-are-separate (40)
    @Test func `a token renewed by an inner behavior does not affect stored responses`()
        async throws
    {
        let tokens = Counter()
        let network = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                NetworkResponse(headers: ["Cache-Control": "max-age=60"])
            },
            behaviors: [client.behavior, TokenBehavior { "\(tokens.next())" }]
        )

        for _ in 0..<3 { _ = try await network.send(NetworkRequest<NetworkResponse>.get("a")) }

        #expect(tokens.count == 1)
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test func `credentials in the request are part of the cache key`() async throws {
        try await client.store("anna's", headers: ["Authorization": "Bearer a"])

        #expect(await client.sendsRequest())
        #expect(await client.sendsRequest(headers: ["Authorization": "Bearer b"]))
        let response = try await client.send(headers: ["authorization": "Bearer a"])
        #expect(response.text == "anna's")
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `removeAll removes the responses of all partitions`() async throws {
        for user in ["", "anna"] {
            client.partition = user
            try await client.store()
            try await client.store("hat", "products/hat", headers: ["Authorization": "Bearer a"])
        }

        client.cache.removeAll()

        #expect(client.cache.summaries().isEmpty)
        #expect(client.cache.statistics.entryCount == 0 && client.cache.statistics.byteCount == 0)
        #expect(await client.sendsRequest())
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test(arguments: [200, 304])
    func `a response in flight during removeAll is returned but not stored`(
        status: Int
    ) async throws {
        try await client.store("old")
        client.clock.advance(by: .seconds(60))
        let response = Task {
            try await client.send { _ in
                try await gate.hold()
                return .text("new", statusCode: status, headers: ["Cache-Control": "max-age=60"])
            }
        }
        await gate.waitForCalls(1)

        client.cache.removeAll()
        gate.open()

        #expect(try await response.value.text == (status == 200 ? "new" : "old"))
        #expect(client.cache.summaries().isEmpty)
    }
}
