import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PartitionTests {
    private let client = CachedClient()
    private let gate = Gate()

    // Rule: cache/changed-partition-drops-response (39)
    @Test(arguments: [200, 304, 404, 503])
    func `an answer to somebody who is gone is dropped`(status: Int) async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))

        await #expect(throws: CancellationError.self) {
            try await client.send { [client] _ in
                client.partition = "bert"
                return .text("new", statusCode: status, headers: ["Cache-Control": "max-age=60"])
            }
        }

        #expect(client.cache.entries().map(\.partition) == [""])
        client.partition = ""
        #expect(try await client.send(policy: .cacheOnly).text == "old")
        #expect(await client.sendsRequest())
    }

    // Rule: cache/changed-partition-drops-response (39)
    @Test(arguments: [["Cache-Control": "no-store"], ["If-None-Match": "\"1\""]])
    func `an answer to somebody who is gone is dropped even where it would not be stored`(
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
    @Test func `nothing stands in for somebody who is gone`() async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))

        await #expect(throws: CancellationError.self) {
            try await client.send { [client] _ in
                client.partition = "bert"
                throw NetworkError(.unreachable)
            }
        }
    }

    // Rule: cache/changed-partition-drops-response (39)
    @Test func `a write that succeeded is told to its caller, whoever is there`() async throws {
        let answer = try await client.send("PUT") { [client] _ in
            client.partition = "bert"
            return NetworkResponse(statusCode: 204)
        }

        #expect(answer.statusCode == 204)
    }

    // Rule: cache/partitions-are-separate (40); security/stored-responses-stay-with-user (18)
    @Test func `one user never sees what another one got`() async throws {
        client.partition = "anna"
        try await client.store("anna's")
        client.partition = "bert"
        #expect(await client.sendsRequest())
        try await client.store("bert's")

        client.partition = "anna"
        #expect(try await client.send().text == "anna's")
        client.partition = "bert"
        #expect(try await client.send().text == "bert's")
        #expect(Set(client.cache.entries().map(\.partition)) == ["anna", "bert"])
    }

    // Rule: cache/partitions-are-separate (40); cache/success-removes-responses (44)
    @Test func `a mutation of one user leaves another one's answers alone`() async throws {
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
    @Test func `a mutation that two users may have signed makes old what both have`() async throws {
        for user in ["anna", "bert"] {
            client.partition = user
            try await client.store()
        }
        client.partition = "anna"

        try await client.send("PUT") { [client] _ in
            client.partition = "bert"
            return NetworkResponse(statusCode: 204)
        }

        #expect(client.cache.entries().isEmpty)
    }

    // Rule: cache/partitions-are-separate (40)
    @Test func `a token renewed further in empties nothing`() async throws {
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
    @Test func `credentials that the cache sees are part of the key`() async throws {
        try await client.store("anna's", headers: ["Authorization": "Bearer a"])

        #expect(await client.sendsRequest())
        #expect(await client.sendsRequest(headers: ["Authorization": "Bearer b"]))
        let answer = try await client.send(headers: ["authorization": "Bearer a"])
        #expect(answer.text == "anna's")
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `when everything is removed, nothing is there any more`() async throws {
        for user in ["", "anna"] {
            client.partition = user
            try await client.store()
            try await client.store("hat", "products/hat", headers: ["Authorization": "Bearer a"])
        }

        client.cache.removeAll()

        #expect(client.cache.entries().isEmpty)
        #expect(client.cache.statistics.entryCount == 0 && client.cache.statistics.byteCount == 0)
        #expect(await client.sendsRequest())
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test(arguments: [200, 304])
    func `an answer on its way when all is removed is delivered and not stored`(
        status: Int
    ) async throws {
        try await client.store("old")
        client.timeline.move(by: .seconds(60))
        let answer = Task {
            try await client.send { _ in
                try await gate.pass()
                return .text("new", statusCode: status, headers: ["Cache-Control": "max-age=60"])
            }
        }
        await gate.arrival()

        client.cache.removeAll()
        gate.open()

        #expect(try await answer.value.text == (status == 200 ? "new" : "old"))
        #expect(client.cache.entries().isEmpty)
    }
}
