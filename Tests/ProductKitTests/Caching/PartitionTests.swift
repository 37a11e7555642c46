import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PartitionTests {
    private let client = CachedClient()

    // Rule: cache/changed-partition-drops-response (39)
    @Test(arguments: [200, 304, 404, 503, nil])
    func `a response or failure is dropped when the partition has changed`(
        status: Int?
    ) async throws {
        try await client.storeStale()

        await #expect(throws: CancellationError.self) {
            try await client.send { [client] _ in
                client.partition = "bert"
                guard let status else { throw NetworkError(.unreachable) }
                return .fresh(statusCode: status)
            }
        }

        #expect(client.cache.summaries().map(\.partition) == [""])
        client.partition = ""
        #expect(try await client.send(policy: .cacheOnly).text == "old")
        #expect(await client.sendsRequest())
    }

    // Rule: cache/changed-partition-drops-response (39)
    @Test(arguments: [("Cache-Control", "no-store"), ("If-None-Match", "\"1\"")], [true, false])
    func `a response that would not be stored is dropped as well when the partition has changed`(
        field: (String, String),
        succeeds: Bool
    ) async throws {
        await #expect(throws: CancellationError.self) {
            try await client.send(headers: [field.0: field.1]) { [client] _ in
                client.partition = "bert"
                guard succeeds else { throw Offline() }
                return NetworkResponse()
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
        _ = try await behavior.send(request) { _ in .fresh("anna's") }
        #expect(readings.count == 4)

        request.policy = policy

        await #expect(throws: CancellationError.self) {
            try await behavior.send(request) { _ in .text("bert's") }
        }
    }

    // Rule: cache/changed-partition-drops-response (39); cache/success-removes-responses (44)
    @Test
    func `an unsafe request invalidates both partitions when the partition changes in flight`()
        async throws
    {
        for user in ["bert", "anna"] {
            client.partition = user
            try await client.store()
        }

        let response = try await client.send("PUT") { [client] _ in
            client.partition = "bert"
            return NetworkResponse(statusCode: 204)
        }

        #expect(response.statusCode == 204 && client.cache.summaries().isEmpty)
    }

    // Rule: cache/partitions-are-separate (40); security/stored-responses-stay-with-user (18)
    // Rule: cache/success-removes-responses (44)
    @Test func `responses of one partition are neither served nor invalidated in another`()
        async throws
    {
        client.partition = "anna"
        try await client.store("anna's")
        client.partition = "bert"
        #expect(await client.sendsRequest())
        try await client.store("bert's")
        #expect(try await client.send().text == "bert's")
        #expect(Set(client.cache.summaries().map(\.partition)) == ["anna", "bert"])

        try await client.send("PUT") { _ in NetworkResponse(statusCode: 204) }

        #expect(await client.sendsRequest())
        client.partition = "anna"
        #expect(try await client.send().text == "anna's")
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
        #expect(client.cache.statistics.byteCount == 0)
        #expect(await client.sendsRequest())
    }
}
