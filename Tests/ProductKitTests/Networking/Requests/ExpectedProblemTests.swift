import Foundation
import ProductKit
import Synchronization
import Testing

/// Failures of a backend that have an output.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ExpectedProblemTests {
    private let caching = CachingBehavior(partition: { "anna" })
    private let received = Lines()

    // Rule: requests/expected-problem-is-output (17)
    @Test(arguments: [200, 400, 404, 409, 500])
    func `a failure with the code returns the output, whatever its status is`(
        statusCode: Int
    ) async throws {
        let client = client(statusCode, #"{"error": "EXISTS"}"#)
        let addition = NetworkRequest<Void>.post("lines").returning((), forProblem: "EXISTS")
        let count = NetworkRequest<Int>.get("lines").inside("count")
            .returning(7, forProblem: "NONE")
            .returning(8, forProblem: "EXISTS")

        try await client.send(addition)

        #expect(try await client.send(count) == 8)
        #expect(try await self.client(statusCode, #"{"error": "NONE"}"#).send(count) == 7)
        #expect(try await client.send(count.map { number, _ in "\(number)" }) == "8")
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test(arguments: [200, 400])
    func `another failure is thrown, and a success is decoded`(statusCode: Int) async throws {
        let count = NetworkRequest<Int>.get("lines").inside("count")
            .returning(7, forProblem: "NONE")
            .throwing(ListError.notFound("7"), for: .rejected)

        await #expect(throws: ListError.notFound("7")) {
            try await client(statusCode, #"{"error": "LOCKED"}"#).send(count)
        }
        #expect(try await client(200, #"{"count": 2}"#).send(count) == 2)
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test func `the response of a request that expected the failure is a failure of another one`()
        async throws
    {
        let inner = client(404, #"{"error": "NONE"}"#)
        let outer = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                let request = NetworkRequest<Int>.get("a").returning(7, forProblem: "NONE")
                return try await inner.send(request.map { _, response in response })
            }
        )

        await #expect(throws: NetworkError.self) { try await outer.send(.delete("a")) }
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test func `a request is retried by its status, and the last failure has the output`()
        async throws
    {
        let client = NetworkClient(behaviors: [RetryBehavior(effects: .skippingDelays)]) {
            request in
            received.add(request.line)
            return .json(#"{"type": "NONE"}"#, statusCode: 503)
        }

        let count = NetworkRequest<Int>.get("a").returning(7, forProblem: "NONE")

        #expect(try await client.send(count) == 7)
        #expect(received.all.count == 3)
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test func `if the output is decoded in another way afterwards, the failure is thrown`() async {
        let client = client(404, #"{"error": "NONE"}"#)
        let number = NetworkRequest<Int?>.get("lines").returning(7, forProblem: "NONE")
        let page = NetworkRequest<Page<Int>>.get("lines").returning(Page([]), forProblem: "NONE")

        #expect(await client.error(of: number.inside("count"))?.code == .notFound)
        #expect(await client.error(of: page.page(items: "lines"))?.code == .notFound)
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test func `the check of successes does not apply to a failure with another status`()
        async throws
    {
        let client = NetworkClient { _ in
            .json(#"{"type": "NONE", "title": "No list"}"#, statusCode: 404)
        }
        .failing(having: "type", message: "title")
        let count = NetworkRequest<Int>.get("lines").returning(7, forProblem: "NONE")

        #expect(try await client.send(count) == 7)
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test func `a failure that another request shares has its output only`() async throws {
        let shared = Mutex<NetworkResponse?>(nil)
        let sharing = ClosureBehavior(intercept: { request, next in
            if let response = shared.withLock(\.self) { return response }
            let response = try await next(request)
            shared.withLock { $0 = response }
            return response
        })
        let client = NetworkClient(behaviors: [sharing, caching]) { _ in
            .json(#"{"type": "NONE"}"#, statusCode: 404)
        }
        let count = NetworkRequest<Int>.get("lines").inside("count")

        #expect(try await client.send(count.returning(7, forProblem: "NONE")) == 7)
        let error = await client.error(of: count)

        #expect(error?.code == .notFound)
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test func `a success with the code replaces the stored response`() async throws {
        let client = NetworkClient(behaviors: [caching]) { request in
            received.add(request.line)
            return received.all.count == 1 ? .json("[1]") : .json(#"{"error": "NONE"}"#)
        }
        .failing(having: "error", code: "error")
        let load = NetworkRequest<Page<Int>>.get("lines").returning(Page([]), forProblem: "NONE")

        #expect(try await client.send(load).items == [1])
        #expect(try await client.send(load.fetching(.reload)).items.isEmpty)
        #expect(try await client.send(load.fetching(.cacheOnly)).items.isEmpty)
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test func `a write that is a success in this way invalidates the stored responses`()
        async throws
    {
        let client = NetworkClient(
            behaviors: [caching],
            failure: { NetworkError($0, code: "error") }
        ) { request in
            received.add(request.line)
            return request.httpMethod == "GET"
                ? .json("[]", headers: ["Cache-Control": "max-age=60"])
                : .json(#"{"error": "EXISTS"}"#, statusCode: 400)
        }
        let addition = NetworkRequest<Void>.post("lines")
        let load = NetworkRequest<Page<Int>>.get("lines")

        _ = try await client.send(load)
        try? await client.send(addition.returning((), forProblem: "OTHER"))
        _ = try await client.send(load)
        try await client.send(addition.returning((), forProblem: "EXISTS"))
        _ = try await client.send(load)

        #expect(received.all.map { $0.prefix(4) } == ["GET ", "POST", "POST", "GET "])
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test(arguments: ["NONE", "OTHER"])
    func `a missing value with an output is stored, and found offline`(problem: String) async throws
    {
        let client = NetworkClient(behaviors: [caching]) { request in
            received.add(request.line)
            guard received.all.count == 1 else { throw NetworkError(.unreachable) }
            return .json(#"{"type": "\#(problem)"}"#, statusCode: 404)
        }
        let load = NetworkRequest<Page<Int>>.get("lines").returning(Page([]), forProblem: "NONE")
        let first = try? await client.send(load)

        let second = try? await client.send(load)
        let third = try? await client.send(load.fetching(.cacheFirst))

        let isFound = problem == "NONE"
        #expect([first, second, third].map { $0 != nil } == [isFound, isFound, isFound])
        #expect(received.all.count == (isFound ? 2 : 3))
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test(arguments: [400, 403, 404, 409, 410, 429, 503])
    func `only a missing value is stored like a success`(statusCode: Int) async throws {
        let client = NetworkClient(behaviors: [caching]) { _ in
            .json(#"{"type": "NONE"}"#, statusCode: statusCode)
        }
        .overridingCacheControl("max-age=60")
        let load = NetworkRequest<Int>.get("lines").returning(7, forProblem: "NONE")

        #expect(try await client.send(load) == 7)

        let stored = try? await client.send(load.fetching(.cacheOnly))
        #expect((stored == 7) == [404, 410].contains(statusCode))
    }

    // Rule: requests/expected-problem-is-output (17)
    @Test func `the Cache-Control of a failure with an output is replaced`() async throws {
        let client = NetworkClient(behaviors: [caching]) { request in
            received.add(request.line)
            let headers: NetworkHeaders = ["Cache-Control": "no-store"]
            return .json(#"{"type": "NONE"}"#, statusCode: 404, headers: headers)
        }
        .overridingCacheControl("max-age=60")
        let load = NetworkRequest<Int>.get("lines").returning(7, forProblem: "NONE")

        for _ in 1...2 { #expect(try await client.send(load) == 7) }

        #expect(received.all.count == 1)
    }

    private func client(_ statusCode: Int, _ body: String) -> NetworkClient {
        let codes = ["EXISTS": NetworkError.Code.rejected, "LOCKED": .rejected]
        return NetworkClient(failure: { NetworkError($0, code: "error", codes: codes) }) { _ in
            .json(body, statusCode: statusCode)
        }
        .failing(having: "error", code: "error")
    }
}
