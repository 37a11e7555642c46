import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RangeTests {
    private let client = CachedClient()

    // Rule: cache/part-replaces-nothing (76)
    @Test(arguments: [FetchPolicy.revalidate, .reload, .networkFirst])
    func `a part that was not requested is returned, and the stored response stays`(
        policy: FetchPolicy
    ) async throws {
        try await client.store("boots")

        let response = try await client.send(policy: policy) { _ in
            .text("bo", statusCode: 206, headers: ["Content-Range": "bytes 0-1/5"])
        }

        #expect(response.statusCode == 206 && response.text == "bo")
        #expect(try await client.send(policy: .cacheOnly).text == "boots")
    }

    // Rule: cache/part-replaces-nothing (76)
    @Test func `a part that cannot be decoded does not remove the stored response`() async throws {
        let (cache, sends) = (ResponseCache(), Counter())
        let network = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                var response = NetworkResponse.json(
                    #"{"id": "boots", "name": "Boots"}"#,
                    headers: ["Cache-Control": "max-age=60"]
                )
                guard sends.next() > 1 else { return response }
                (response.statusCode, response.body) = (206, response.body.prefix(20))
                return response
            },
            behaviors: [CachingBehavior(cache: cache, partition: { "anna" })]
        )
        let request = NetworkRequest<Product>.get("products", "boots")
        _ = try await network.send(request)

        await #expect(throws: NetworkError.self) {
            try await network.send(request.fetching(.reload))
        }

        #expect(try await network.send(request.fetching(.cacheOnly)).name == "Boots")
    }

    // Rule: cache/ranges-are-forwarded (77)
    @Test(arguments: [206, 200, 404, 416])
    func `a forwarded range request is unconditional, and stores and removes nothing`(
        status: Int
    ) async throws {
        try await client.store(
            "boots",
            responseHeaders: ["Cache-Control": "max-age=60", "ETag": "\"1\""]
        )
        let response = try await client.send(headers: ["Range": "bytes=0-0"]) { _ in
            .text("x", statusCode: status, headers: ["Cache-Control": "max-age=60"])
        }

        #expect(response.text == "x")
        #expect(client.requests.last?.value(forHTTPHeaderField: "Range") == "bytes=0-0")
        #expect(client.requests.last?.value(forHTTPHeaderField: "If-None-Match") == nil)
        #expect(try await client.send(policy: .cacheOnly).text == "boots")
    }

    // Rule: cache/ranges-are-forwarded (77)
    @Test func `a range request is not served from the cache`() async throws {
        try await client.store("boots", responseHeaders: ["Cache-Control": "max-age=60"])
        let range = ["Range": "bytes=0-0"]
        let count = client.requests.count

        await #expect(throws: NetworkError.self) {
            try await client.send(headers: range) { _ in throw NetworkError(.unreachable) }
        }
        #expect(client.requests.count == count + 1)
        await #expect(throws: NetworkError.self) {
            try await client.send(headers: range, policy: .cacheOnly)
        }
        #expect(client.requests.count == count + 1)
    }
}
