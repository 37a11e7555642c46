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

        #expect(cache.statistics.entryCount == 0)
        #expect(error.map { Outbox.Disposition($0) } == .rejected)
    }

    private func client(_ body: String) -> NetworkClient {
        NetworkClient { _ in .json(body) }
    }
}
