import Foundation
import ProductKit
import Testing

/// A client that detects failures in responses with a success status, for all of its requests.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FailingClientTests {
    // Rule: errors/client-finds-failures (18)
    @Test(arguments: ["DELETE", "POST", "PUT"])
    func `a request without an output throws a failure`(method: String) async throws {
        let client = client(#"{"error": {"id": "BUSY", "text": "Wait"}}"#)
            .failing(at: "error", message: "text", code: "id", codes: ["BUSY": .throttled])
        let request = NetworkRequest<Void>(method: method, segments: ["favorites", "a"]) { _ in }

        let error = await #expect(throws: NetworkError.self) { try await client.send(request) }

        #expect(error?.code == .throttled && error?.statusCode == 200)
        #expect(error?.problem?.detail == "Wait")
    }

    // Rule: errors/client-finds-failures (18)
    @Test(arguments: [
        #"{"error": "No", "message": "Refused"}"#, #"[{"error": 7, "message": "Refused"}]"#,
    ])
    func `a member of the whole body may mark a failure`(body: String) async throws {
        let client = client(body).failing(having: "error")

        let error = await #expect(throws: NetworkError.self) {
            try await client.send(.delete("favorites", "a"))
        }

        #expect(error?.code == .rejected && error?.problem?.detail == "Refused")
    }

    // Rule: errors/client-finds-failures (18)
    @Test(arguments: [
        "", #"{"id": "boots"}"#, #"{"error": null}"#, #"{"error": ""}"#, #"{"error": false}"#, "[]",
    ])
    func `a response without a failure is a success`(body: String) async throws {
        try await client(body).failing(having: "error").send(.delete("favorites", "a"))
    }

    // Rule: errors/client-finds-failures (18)
    @Test func `the check of the request comes first, and several checks apply`() async throws {
        let failing = client(#"{"a": "A", "b": "B", "c": "C"}"#).failing(at: "b").failing(at: "c")
        let request = NetworkRequest<Void>.post("x")

        let requests = [
            (request.failing(at: "a"), "A"), (request.failing(at: "z"), "B"), (request, "B"),
        ]
        for (request, detail) in requests {
            let error = await #expect(throws: NetworkError.self) { try await failing.send(request) }
            #expect(error?.problem?.detail == detail)
        }
        let last = await #expect(throws: NetworkError.self) {
            try await client(#"{"c": "C"}"#).failing(at: "b").failing(at: "c").send(request)
        }
        #expect(last?.problem?.detail == "C")
    }

    // Rule: errors/client-finds-failures (18)
    @Test func `a failure that the client finds is neither stored nor confirms an edit`()
        async throws
    {
        let cache = ResponseCache()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                .json(#"{"error": "No"}"#, headers: ["Cache-Control": "max-age=60"])
            },
            behaviors: [CachingBehavior(cache: cache, partition: { "anna" })]
        ).failing(having: "error")

        let error = await #expect(throws: NetworkError.self) {
            try await client.send(NetworkRequest<Product>.get("products", "boots"))
        }

        #expect(cache.statistics.entryCount == 0)
        #expect(error.map { Outbox.Disposition($0) } == .rejected)
    }

    private func client(_ body: String) -> NetworkClient {
        NetworkClient(baseURL: .api, networking: .closure { _ in .json(body) })
    }
}
