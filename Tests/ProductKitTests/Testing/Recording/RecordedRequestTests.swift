import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.serialized, .timeLimit(.minutes(5))) struct RecordedRequestTests {
    // Rule: recording/other-requests-throw (3)
    @Test(arguments: [
        ("keyword=boots", "keyword=sandals"), ("countryCode=DE", "countryCode=US"),
        ("postcode=1", "postcode=2"), ("accessories=1", "accessories=2"),
        ("filter=category:accessories", "filter=category:keyboards"),
        ("where=key%3D%22pan%22", "where=key%3D%22pot%22"),
        ("variables=%7B%22key%22%3A%22pan%22%7D", "variables=%7B%22key%22%3A%22pot%22%7D"),
        ("after=eyJsYXN0X2lkIjoxfQ", "after=eyJsYXN0X2lkIjoyfQ"),
        ("ids=%5Ba%5D", "ids=%5Bb%5D"), ("pageToken=2", "pageToken=3"),
        ("authorName=ann", "authorName=bob"), ("shipping=1", "shipping=2"),
        ("size=key=a", "size=key=b"),
    ])
    func `requests with other values of ordinary names do not match`(
        query: String,
        other: String
    ) async throws {
        let type = "application/x-www-form-urlencoded"
        for (request, other) in [
            (.to("goods?\(query)"), .to("goods?\(other)")),
            (
                .to("goods", "POST", body: query, type: type),
                .to("goods", "POST", body: other, type: type)
            ),
        ] as [(URLRequest, URLRequest)] {
            try await withRecording { recording in
                try await recording.record(request) { _ in .json("1") }

                await #expect(throws: UnrecordedRequest.self) {
                    try await recording.replay().response(for: other)
                }
            }
        }
    }

    // Rule: recording/other-requests-throw (3)
    @Test(arguments: [
        (#"{"key": "pan"}"#, #"{"key": "pot"}"#),
        (#"{"giftCard": {"amount": 50}}"#, #"{"giftCard": {"amount": 9}}"#),
        (#"{"country": {"code": "DE"}}"#, #"{"country": {"code": "US"}}"#),
        (#"{"after": "eyJsYXN0X2lkIjoxfQ"}"#, #"{"after": "eyJsYXN0X2lkIjoyfQ"}"#),
        (#"{"name": "size", "value": "L"}"#, #"{"name": "size", "value": "M"}"#),
    ])
    func `requests with other members do not match`(body: String, other: String) async throws {
        try await withRecording { recording in
            try await recording.record(.to("goods", "POST", body: body)) { _ in .json("1") }

            await #expect(throws: UnrecordedRequest.self) {
                try await recording.replay().response(for: .to("goods", "POST", body: other))
            }
        }
    }

    // Rule: recording/other-requests-throw (3)
    @Test func `items with the same name in another order do not match`() async throws {
        try await withRecording { recording in
            try await recording.record(.to("goods?ids=1&ids=2")) { _ in .json("1") }

            await #expect(throws: UnrecordedRequest.self) {
                try await recording.replay().response(for: .to("goods?ids=2&ids=1"))
            }
        }
    }

    // Rule: recording/other-requests-throw (3)
    @Test func `a body of another kind with the same text does not match`() async throws {
        try await withRecording { recording in
            var request = URLRequest.to("image", "PUT", body: "")
            request.httpBody = Data([0, 1, 2])
            try await recording.record(request) { _ in .json("1") }

            #expect(try recording.text.contains("AAEC"))
            await #expect(throws: UnrecordedRequest.self) {
                try await recording.replay().response(for: .to("image", "PUT", body: "AAEC"))
            }
        }
    }

    // Rule: recording/other-requests-throw (3)
    @Test(
        arguments: [
            ([.to("a/b", "PUT"), .to("c/d"), .to("a/c")], .to("a/b?x=1&y=2"), "PUT a/b"),
            ([.to("c/d"), .to("a/c?x=2&y=3")], .to("a/b?x=1&y=2"), "GET a/c?x=2&y=3"),
            ([.to("a", "PUT"), .to("a?x=2&y=3")], .to("a"), "GET a?x=2&y=3"),
            ([.to("a?x=2&y=3"), .to("a?x=2&y=2")], .to("a?x=1&y=2"), "GET a?x=2&y=2"),
            ([.to("a/b/c"), .to("a/b")], .to("a"), "GET a/b"),
        ] as [([URLRequest], URLRequest, String)]
    )
    func `the nearest request has the most similar path, then the method, then the other parts`(
        recorded: [URLRequest],
        request: URLRequest,
        nearest: String
    ) async throws {
        try await withRecording { recording in
            let behavior = try RecordingBehavior(to: recording.file)
            for request in recorded {
                _ = try await behavior.send(request) { _ in NetworkResponse() }
            }

            let error = await #expect(throws: UnrecordedRequest.self) {
                try await recording.replay().response(for: request)
            }

            #expect(error?.nearest?.replacing("https://api.example.com/v1/", with: "") == nearest)
        }
    }

    // Rule: recording/other-requests-throw (3)
    @Test func `the message contains five differences and the number of others`() async throws {
        try await withRecording { recording in
            try await recording.record(.to("goods")) { _ in .json("1") }

            let error = await #expect(throws: UnrecordedRequest.self) {
                try await recording.replay().response(for: .to("goods?a=1&b=2&c=3&d=4&e=5&f=6&g=7"))
            }

            let message = try #require(error?.errorDescription)
            #expect(error?.differences.count == 7)
            #expect(message.contains("e=5 instead of nothing; 2 more."))
            #expect(!message.contains("f=6 instead"))
        }
    }

    // Rule: recording/replay-is-a-transport (9)
    @Test func `the body of a stream is refused when recording and when replaying`() async throws {
        try await withRecording { recording in
            let streaming = URLRequest.to("goods", "POST", streaming: "one")
            let sent = Counter()
            let networking = try RecordedNetworking(
                recording.file,
                recordingFrom: .closure { _ in
                    sent.next()
                    return .json("1")
                }
            )
            let recorded = await #expect(throws: NetworkError.self) {
                try await networking.response(for: streaming)
            }
            let behavior = try RecordingBehavior(to: recording.file)
            let intercepted = await #expect(throws: NetworkError.self) {
                try await behavior.send(.to("goods", "POST", streaming: "one")) { _ in .json("1") }
            }
            try await recording.record(.to("goods", "POST")) { _ in .json("1") }
            let replayed = await #expect(throws: NetworkError.self) {
                try await recording.replay().response(for: .to("goods", "POST", streaming: "two"))
            }

            for error in [recorded, intercepted, replayed] {
                #expect(error?.code == .invalidRequest)
                #expect(error?.localizedDescription.contains("Use httpBody.") == true)
            }
            #expect(sent.count == 0)
        }
    }

    // Rule: recording/redaction-hides-no-difference (21)
    @Test(
        arguments: [
            (.to("goods?key=pan"), .to("goods?key=pot"), "the query item “key”"),
            (
                .to("goods", "POST", body: #"{"session": {"id": "1"}}"#),
                .to("goods", "POST", body: #"{"session": {"id": "2"}}"#),
                "the member “session.id” of the body"
            ),
            (
                .to("goods", headers: ["X-Card-Type": "a"]),
                .to("goods", headers: ["X-Card-Type": "b"]), "the header field “x-card-type”"
            ),
            (.to("goods?signatureDish=pie"), .to("goods?signatureDish=tart"), "signatureDish"),
        ] as [(URLRequest, URLRequest, String)]
    )
    func `requests that differ only in what may be a secret are an error until it is named`(
        request: URLRequest,
        other: URLRequest,
        part: String
    ) async throws {
        try await withRecording { recording in
            func behavior(_ redaction: RecordingRedaction) throws -> RecordingBehavior {
                try RecordingBehavior(
                    to: recording.file,
                    comparing: ["X-Card-Type"],
                    redaction: redaction
                )
            }
            func send(_ request: URLRequest, _ behavior: RecordingBehavior) async throws {
                _ = try await behavior.send(request) { _ in .json("1") }
            }
            let unnamed = try behavior(RecordingRedaction())
            try await send(request, unnamed)
            try await send(request, unnamed)

            let error = await #expect(throws: RecordingError.self) {
                try await send(other, unnamed)
            }
            let recorded = try recording.replay().unused.count
            let name = part.replacing("the query item “", with: "").replacing("”", with: "")
            let names = Set([name, "session", "X-Card-Type"])
            for redaction in [RecordingRedaction(names: names), RecordingRedaction(keeping: names)]
            {
                let named = try behavior(redaction)
                try await send(request, named)
                try await send(other, named)
            }

            #expect(error?.code == .ambiguous)
            #expect(error?.localizedDescription.contains(part) == true)
            #expect(error?.localizedDescription.contains("“keeping:”") == true)
            #expect(recorded == 2)
        }
    }

    // Rule: recording/redaction-hides-no-difference (21)
    @Test func `a credential may change between two equal requests`() async throws {
        try await withRecording { recording in
            let behavior = try RecordingBehavior(to: recording.file)
            for token in ["one", "two"] {
                _ = try await behavior.send(.to("goods?access_token=\(token)")) { _ in
                    .json(#""\#(token)""#)
                }
            }
            let replay = try recording.replay()

            for text in ["one", "two"] {
                let request = URLRequest.to("goods?access_token=three")
                #expect(try await replay.response(for: request).json() == text)
            }
        }
    }
}

extension URLRequest {
    /// A request with the body of a stream.
    fileprivate static func to(
        _ path: String,
        _ method: String,
        streaming text: String
    ) -> URLRequest {
        var request = URLRequest.to(path, method)
        request.httpBodyStream = InputStream(data: Data(text.utf8))
        return request
    }
}
