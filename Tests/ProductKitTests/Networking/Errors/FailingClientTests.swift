import Foundation
import ProductKit
import Synchronization
import Testing

/// A client that detects failures in responses with a success status, for all of its requests.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FailingClientTests {
    // Rule: errors/client-finds-failures (18)
    @Test(arguments: ["DELETE", "POST", "PUT"])
    func `a request without an output throws a failure`(method: String) async throws {
        let client = client(#"{"error": {"id": "BUSY", "text": "Wait"}}"#)
            .failing(at: "error", message: "text", code: "id", codes: ["BUSY": .throttled])
        let request = NetworkRequest<Void>(method: method, segments: ["favorites", "a"]) { _ in }

        let error = await client.error(of: request)

        #expect(error?.code == .throttled && error?.statusCode == 200)
        #expect(error?.problem?.detail == "Wait")
    }

    // Rule: errors/client-finds-failures (18)
    @Test(arguments: [
        #"{"error": "No", "message": "Refused"}"#, #"[{"error": 7, "message": "Refused"}]"#,
    ])
    func `a member of the whole body may mark a failure`(body: String) async throws {
        let client = client(body).failing(having: "error")

        let error = await client.error(of: .delete("favorites", "a"))

        #expect(error?.code == .rejected && error?.problem?.detail == "Refused")
    }

    // Rule: errors/client-finds-failures (18)
    @Test(arguments: [#"{"error": "No"}"#, #"{"error": {"message": "No"}}"#])
    func `a message for developers is not shown`(body: String) async throws {
        let client = client(body).failing(at: "error", message: nil)

        let error = await client.error(of: .delete("favorites", "a"))

        #expect(error?.code == .rejected && error?.problem?.detail == nil)
        #expect(error?.localizedDescription.contains("No") == false)
    }

    // Rule: errors/client-finds-failures (18)
    @Test(arguments: [
        "", #"{"id": "boots"}"#, #"{"error": null}"#, #"{"error": ""}"#, #"{"error": false}"#, "[]",
    ])
    func `a response without a failure is a success`(body: String) async throws {
        try await client(body).failing(having: "error").send(.delete("favorites", "a"))
    }

    // Rule: errors/client-finds-failures (18)
    @Test(arguments: [
        (#"{"success": false}"#, true), (#"{"success": 0, "errors": ["No"]}"#, true),
        (#"{"success": true, "errors": ["No"]}"#, true), (#"{"errors": ["No"]}"#, true),
        (#"{"success": true, "errors": []}"#, false), (#"{"success": null}"#, false),
        (#"{"success": 1}"#, false), ("", false), ("[]", false), (#"{"id": 7}"#, false),
    ])
    func `a flag may mark a failure, with or without others`(body: String, fails: Bool) async {
        let client = client(body)
        let request = NetworkRequest<Void>.post("x")
        func error(of client: NetworkClient, _ request: NetworkRequest<Void>) async -> NetworkError?
        {
            do {
                try await client.send(request)
                return nil
            } catch {
                return error as? NetworkError
            }
        }

        let failing = await error(of: client.failing(at: "errors", unless: "success"), request)
        let flagged = await error(of: client.failing(unless: "success"), request)
        let checked = await error(of: client, request.failing(unless: "success"))

        #expect((failing?.code == .rejected) == fails)
        #expect(failing?.problem?.detail == (fails && body.contains("No") ? "No" : nil))
        #expect((flagged != nil) == (body.contains("false") || body.contains("0")))
        #expect(checked?.code == flagged?.code)
    }

    // Rule: errors/client-finds-failures (18)
    @Test func `the check of the request comes first, and several checks apply`() async throws {
        let all = #"{"a": "A", "b": "B", "c": "C"}"#
        let request = NetworkRequest<Void>.post("x")

        for (body, request, detail) in [
            (all, request.failing(at: "a"), "A"), (all, request.failing(at: "z"), "B"),
            (all, request, "B"), (#"{"c": "C"}"#, request, "C"),
        ] {
            let failing = client(body).failing(at: "b").failing(at: "c")
            #expect(await failing.error(of: request)?.problem?.detail == detail)
        }
    }

    // Rule: errors/client-finds-failures (18)
    @Test func `a failure that the client finds is neither stored nor confirms an edit`()
        async throws
    {
        let cache = ResponseCache()
        let client = NetworkClient(behaviors: [CachingBehavior(cache: cache, partition: { "anna" })]
        ) { _ in
            .json(#"{"error": "No"}"#, headers: ["Cache-Control": "max-age=60"])
        }.failing(having: "error")

        let error = await client.error(of: NetworkRequest<Product>.get("products", "boots"))

        #expect(cache.summaries().isEmpty)
        #expect(error.map { Outbox.Disposition($0) } == .rejected)
    }

    // Rule: errors/reported-failure-has-status (22)
    @Test(arguments: [
        (NetworkError.Code.unauthorized, 401), (.forbidden, 403), (.notFound, 404),
        (.timedOut, 408), (.conflict, 409), (.throttled, 429), (.unavailable, 503),
        (.rejected, 422), (.redirect, 422),
    ])
    func `behaviors see the status code that a failure means`(
        code: NetworkError.Code,
        statusCode: Int
    ) async throws {
        let seen = Mutex<[Int]>([])
        let looking = ClosureBehavior(intercept: { request, next in
            let response = try await next(request)
            seen.withLock { $0.append(response.statusCode) }
            return response
        })
        let client = NetworkClient(behaviors: [looking]) { _ in .json(#"{"error": "E"}"#) }
            .failing(at: "error", code: [], codes: ["E": code])

        let error = await client.error(of: .delete("favorites", "a"))

        #expect(seen.withLock(\.self) == [statusCode])
        #expect(error?.code == code && error?.statusCode == 200)
    }

    // Rule: errors/reported-failure-has-status (22); reads/failed-read-leaves-others (6)
    @Test func `a failure is found although its status code was translated to a success`()
        async throws
    {
        let sent = Counter()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                sent.next() == 1
                    ? .json(#"{"id": "a", "name": "A"}"#, headers: ["Cache-Control": "max-age=0"])
                    : .json(#"{"error": "E"}"#, statusCode: 206)
            },
            behaviors: [CachingBehavior(partition: { "anna" })],
            statusCode: { response in [206: 200][response.statusCode] }
        )
        .failing(at: "error", code: [], codes: ["E": .unavailable])
        let request = NetworkRequest<Product>.get("products", "a").fetched

        _ = try await client.send(request)

        #expect(try await client.send(request).source.code == .staleIfError)
        #expect(sent.count == 2)
    }

    // Rule: errors/reported-failure-has-status (22)
    @Test func `a token is refreshed, and the request is sent again`() async throws {
        let (store, sent) = (TokenStore(), Lines())
        let tokens = store.behavior { _ in "new" }
        let client = NetworkClient(behaviors: [tokens]) { request in
            sent.add(request.value(forHTTPHeaderField: "Authorization") ?? "")
            return .json(sent.all.count == 1 ? #"{"error": "EXPIRED"}"# : "{}")
        }
        .failing(at: "error", code: [], codes: ["EXPIRED": .unauthorized])

        try await client.send(.delete("favorites", "a"))

        #expect(sent.all == ["Bearer old", "Bearer new"])
    }

    // Rule: errors/reported-failure-has-status (22)
    @Test func `a read is sent again, and a stored response is served at last`() async throws {
        let sent = Counter()
        let clock = ManualClock(skipsDelays: true)
        let client = NetworkClient(
            behaviors: [
                CachingBehavior(partition: { "anna" }), RetryBehavior(effects: clock.effects()),
            ]
        ) { _ in
            sent.next() == 1
                ? .json(#"{"id": "a", "name": "A"}"#, headers: ["Cache-Control": "max-age=0"])
                : .json(#"{"error": "BUSY"}"#, headers: ["Cache-Control": "max-age=60"])
        }
        .failing(at: "error", code: [], codes: ["BUSY": .unavailable])
        let request = NetworkRequest<Product>.get("products", "a").fetched

        #expect(try await client.send(request).source.code == .network)
        #expect(try await client.send(request).source.code == .staleIfError)
        #expect(sent.count == 4)
    }

    // Rule: errors/reported-failure-has-status (22)
    @Test func `after a write that may have been carried out, stored responses are invalidated`()
        async throws
    {
        let sent = Lines()
        let client = NetworkClient(behaviors: [CachingBehavior(partition: { "anna" })]) { request in
            sent.add(request.httpMethod ?? "")
            return request.httpMethod == "GET"
                ? .json(#"{"id": "a", "name": "A"}"#, headers: ["Cache-Control": "max-age=60"])
                : .json(#"{"data": {"a": 1}, "error": "No"}"#)
        }
        .failing(at: "error")

        for _ in 1...2 { _ = try await client.send(NetworkRequest<Product>.get("products", "a")) }
        _ = await client.error(of: .put("favorites", "a"))
        _ = try await client.send(NetworkRequest<Product>.get("products", "a"))

        #expect(sent.all == ["GET", "PUT", "GET"])
    }

    private func client(_ body: String) -> NetworkClient {
        NetworkClient { _ in .json(body) }
    }
}
