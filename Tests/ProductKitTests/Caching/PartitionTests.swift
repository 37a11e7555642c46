import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PartitionTests {
    private let shop = CachedShop()
    private let gate = Gate()

    // Caching rule 39
    @Test(arguments: [200, 304, 404, 503])
    func `an answer to somebody who is gone is dropped`(status: Int) async throws {
        try await shop.store("old")
        shop.timeline.move(by: .seconds(60))

        await #expect(throws: CancellationError.self) {
            try await shop.send { [shop] _ in
                shop.partition = "bert"
                return .text("new", statusCode: status, headers: ["Cache-Control": "max-age=60"])
            }
        }

        #expect(shop.cache.entries().map(\.partition) == [""])
        shop.partition = ""
        #expect(try await shop.send(policy: .cacheOnly).text == "old")
        #expect(await shop.asks())
    }

    // Caching rule 39
    @Test(arguments: [["Cache-Control": "no-store"], ["If-None-Match": "\"1\""]])
    func `an answer to somebody who is gone is dropped even where it would not be stored`(
        headers: [String: String]
    ) async throws {
        for result in [.success(NetworkResponse()), .failure(Offline())] as [Result<_, Offline>] {
            shop.partition = "anna"
            await #expect(throws: CancellationError.self) {
                try await shop.send(headers: headers) { [shop] _ in
                    shop.partition = "bert"
                    return try result.get()
                }
            }
        }
    }

    // Caching rule 39
    @Test func `nothing stands in for somebody who is gone`() async throws {
        try await shop.store("old")
        shop.timeline.move(by: .seconds(60))

        await #expect(throws: CancellationError.self) {
            try await shop.send { [shop] _ in
                shop.partition = "bert"
                throw NetworkError(.unreachable)
            }
        }
    }

    // Caching rule 39
    @Test func `a write that succeeded is told to its caller, whoever is there`() async throws {
        let answer = try await shop.send("PUT") { [shop] _ in
            shop.partition = "bert"
            return NetworkResponse(statusCode: 204)
        }

        #expect(answer.statusCode == 204)
    }

    // Caching rule 40, S18
    @Test func `one user never sees what another one got`() async throws {
        shop.partition = "anna"
        try await shop.store("anna's")
        shop.partition = "bert"
        #expect(await shop.asks())
        try await shop.store("bert's")

        shop.partition = "anna"
        #expect(try await shop.send().text == "anna's")
        shop.partition = "bert"
        #expect(try await shop.send().text == "bert's")
        #expect(Set(shop.cache.entries().map(\.partition)) == ["anna", "bert"])
    }

    // Caching rules 40 and 44
    @Test func `a mutation of one user leaves another one's answers alone`() async throws {
        shop.partition = "anna"
        try await shop.store("anna's")
        shop.partition = "bert"
        try await shop.store("bert's")

        try await shop.send("PUT") { _ in NetworkResponse(statusCode: 204) }

        #expect(await shop.asks())
        shop.partition = "anna"
        #expect(await !shop.asks())
    }

    // Caching rules 39 and 44
    @Test func `a mutation that two users may have signed makes old what both have`() async throws {
        for user in ["anna", "bert"] {
            shop.partition = user
            try await shop.store()
        }
        shop.partition = "anna"

        try await shop.send("PUT") { [shop] _ in
            shop.partition = "bert"
            return NetworkResponse(statusCode: 204)
        }

        #expect(shop.cache.entries().isEmpty)
    }

    // Caching rule 40
    @Test func `a token renewed further in empties nothing`() async throws {
        let tokens = Counter()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                NetworkResponse(headers: ["Cache-Control": "max-age=60"])
            },
            behaviors: [shop.behavior, TokenBehavior { "\(tokens.next())" }]
        )

        for _ in 0..<3 { _ = try await client.send(NetworkRequest<NetworkResponse>.get("a")) }

        #expect(tokens.count == 1)
    }

    // Caching rule 41
    @Test func `credentials that the cache sees are part of the key`() async throws {
        try await shop.store("anna's", headers: ["Authorization": "Bearer a"])

        #expect(await shop.asks())
        #expect(await shop.asks(headers: ["Authorization": "Bearer b"]))
        let answer = try await shop.send(headers: ["authorization": "Bearer a"])
        #expect(answer.text == "anna's")
    }

    // Caching rule 42
    @Test func `when everything is removed, nothing is there any more`() async throws {
        for user in ["", "anna"] {
            shop.partition = user
            try await shop.store()
            try await shop.store("hat", "products/hat", headers: ["Authorization": "Bearer a"])
        }

        shop.cache.removeAll()

        #expect(shop.cache.entries().isEmpty)
        #expect(shop.cache.statistics.entryCount == 0 && shop.cache.statistics.byteCount == 0)
        #expect(await shop.asks())
    }

    // Caching rule 42
    @Test(arguments: [200, 304])
    func `an answer on its way when all is removed is delivered and not stored`(
        status: Int
    ) async throws {
        try await shop.store("old")
        shop.timeline.move(by: .seconds(60))
        let answer = Task {
            try await shop.send { _ in
                try await gate.pass()
                return .text("new", statusCode: status, headers: ["Cache-Control": "max-age=60"])
            }
        }
        await gate.arrival()

        shop.cache.removeAll()
        gate.open()

        #expect(try await answer.value.text == (status == 200 ? "new" : "old"))
        #expect(shop.cache.entries().isEmpty)
    }
}
