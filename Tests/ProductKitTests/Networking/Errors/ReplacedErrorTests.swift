import Foundation
import ProductKit
import Testing

/// Errors of your own in place of those with a code.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReplacedErrorTests {
    private static let missing = ProductError.notFound("boots")

    // Rule: errors/replaced-by-your-own (12)
    @Test func `an error with the code is replaced, and others are not`() async throws {
        let request = NetworkRequest<Product>.get("a").throwing(Self.missing, for: .notFound)

        await #expect(throws: Self.missing) {
            try await client(NetworkResponse(statusCode: 404)).send(request)
        }
        let other = await client(NetworkResponse(statusCode: 409)).error(of: request)

        #expect(other?.code == .conflict)
    }

    // Rule: errors/replaced-by-your-own (12)
    @Test func `an error of failure, of the transport and of the request is replaced`() async throws
    {
        let error = UnsupportedOperation("replaced")
        let failing = NetworkClient(failure: { _ in NetworkError(.conflict) }) { _ in
            NetworkResponse(statusCode: 422)
        }
        let offline = NetworkClient { _ in throw URLError(.notConnectedToInternet) }

        await #expect(throws: error) {
            try await failing.send(.put("a").throwing(error, for: .conflict))
        }
        await #expect(throws: error) {
            try await offline.send(.put("a").throwing(error, for: .unreachable))
        }
        await #expect(throws: error) {
            try await offline.send(.put("..").throwing(error, for: .invalidRequest))
        }
        await #expect(throws: error) {
            try await client(.json("{}"))
                .send(NetworkRequest<Product>.get("a").throwing(error, for: .unreadable))
        }
    }

    @Test func `an error of failure that is not a NetworkError is thrown unchanged`() async throws {
        let client = NetworkClient(failure: { _ in Offline() }) { _ in
            NetworkResponse(statusCode: 404)
        }

        await #expect(throws: Offline()) {
            try await client.send(.put("a").throwing(Self.missing, for: .notFound))
        }
    }

    // Rule: errors/replaced-by-your-own (12)
    @Test func `behaviors see the error that is thrown`() async throws {
        let failures = Lines()
        let behavior = ClosureBehavior(afterFailure: { failures.add("\($0)") })
        let request = NetworkRequest<Void>.put("a").throwing(Self.missing, for: .notFound)

        await #expect(throws: Self.missing) {
            try await client(NetworkResponse(statusCode: 404)).send(request, behaviors: [behavior])
        }

        #expect(failures.all == ["\(Self.missing)"])
    }

    @Test func `errors are replaced in the order of the calls`() async throws {
        let request = NetworkRequest<Void>.put("a")
            .throwing(NetworkError(.conflict), for: .notFound)
            .throwing(Self.missing, for: .conflict)
            .throwing(UnsupportedOperation("late"), for: .notFound)

        await #expect(throws: Self.missing) {
            try await client(NetworkResponse(statusCode: 404)).send(request)
        }
    }

    // Rule: errors/replaced-by-your-own (12)
    @Test func `an earlier attempt that may have arrived is not hidden`() async throws {
        let attempts = Counter()
        let client = NetworkClient(behaviors: [RetryBehavior(effects: .skippingDelays)]) { _ in
            guard attempts.next() > 1 else { throw NetworkError(.timedOut) }
            return NetworkResponse(statusCode: 409)
        }
        let refusal = UnsupportedOperation("refused")

        let error = try #require(
            await #expect(throws: NetworkError.self) {
                try await client.send(.put("a").throwing(refusal, for: .conflict))
            }
        )

        #expect(error.underlying as? UnsupportedOperation == refusal)
        #expect(error.mayHaveReachedServer)
        #expect(error.attempts.count == 2)
    }

    // Rule: errors/missing-output-is-not-found (13)
    @Test(arguments: [#"{"data": {"product": null}}"#, #"{"data": {}}"#])
    func `an output that is nil is not found, in any order of the calls`(body: String) async throws
    {
        let request = NetworkRequest<Product?>.get("a").inside("data.product")
        let client = client(.json(body))

        let replacing = request.throwing(Self.missing, for: .notFound).unwrapped()

        let error = await client.error(of: request.unwrapped())
        await #expect(throws: Self.missing) {
            try await client.send(request.unwrapped().throwing(Self.missing, for: .notFound))
        }
        await #expect(throws: Self.missing) { try await client.send(replacing) }
        await #expect(throws: Self.missing) {
            try await client.send(replacing.map { $0.name + $1.description })
        }

        #expect(error?.code == .notFound && error?.statusCode == 200)
    }

    // Rule: errors/missing-output-is-not-found (13)
    @Test func `an output that is present is unwrapped`() async throws {
        let request = NetworkRequest<Int?>.get("a").unwrapped()

        #expect(try await client(.json("7")).send(request) == 7)
    }

    @Test func `the first message that is found is used`() {
        let response = NetworkResponse.json(
            #"{"detail": 7, "errors": [{"text": "Gone"}], "message": "Later"}"#,
            statusCode: 422
        )

        #expect(detail(NetworkError(response, message: "errors[0].text", "message")) == "Gone")
        #expect(detail(NetworkError(response, message: "error", "title", "message")) == "Later")
        #expect(detail(NetworkError(response, message: "error", "detail")) == "7")
        #expect(detail(NetworkError(response, message: "error", "title")) == nil)
    }

    @Test func `a closure returns the message, and the code comes from a path`() {
        let response = NetworkResponse.json(
            #"{"sku": ["Unknown."], "code": "stale"}"#,
            statusCode: 422
        )

        let error = NetworkError(response, code: "code", codes: ["stale": .conflict]) { response in
            try? response.json([String].self, at: "sku").joined(separator: " ")
        }
        let silent = NetworkError(NetworkResponse(statusCode: 404)) { _ in nil }

        #expect(error.code == .conflict && detail(error) == "Unknown.")
        #expect(silent.code == .notFound && silent.problem == nil)
    }

    @Test func `an empty message hides those of the response`() {
        let response = NetworkResponse.json(
            #"{"title": "Key required", "detail": "Set X-Key."}"#,
            statusCode: 400
        )

        let error = NetworkError(response) { _ in "" }

        #expect(detail(error) == nil && error.problem?.title == nil)
        #expect(error.localizedDescription == NetworkError(.rejected).localizedDescription)
    }

    private func detail(_ error: NetworkError) -> String? { error.problem?.detail }

    private func client(_ response: NetworkResponse) -> NetworkClient {
        NetworkClient { _ in response }
    }
}
