import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.serialized, .timeLimit(.minutes(5))) struct RecordedNetworkingTests {
    // Rule: recording/replay-equals-the-response (1)
    @Test(
        arguments: [
            (
                #"{"price":12.340000000000000001,"id":1.0,"n":1E400}"#, "application/json",
                #"{"id": 1.0, "n": 1E400, "price": 12.340000000000000001}"#
            ),
            (
                #"{"name": "Pan \"é\" \u00e9 \/ \\ \n\u0001", "b": {}, "a": [], "a": true}"#,
                "application/json",
                #"{"a": [], "a": true, "b": {}, "name": "Pan \"é\" é / \\ \n\u0001"}"#
            ),
            ("[\(String(repeating: "123456789, ", count: 30))0]", "application/json", nil),
            ("<!DOCTYPE html>\n<title>Welcome</title>", "text/html", nil),
            ("a=1&b=2", "application/x-www-form-urlencoded", nil),
            ("null", "application/json", nil),
            (#"{"a":01}"#, "application/json", nil),
            (#"{"a":-}"#, "application/json", nil),
            (#"{"a":1.}"#, "application/json", nil),
            (#"{"a":1e}"#, "application/json", nil),
            (#"{"a":"\ud800"}"#, "application/json", nil),
            (#"{"a":"\"#, "application/json", nil),
            (#"{"a":1"#, "application/json", nil),
            (#"{"a":1}}"#, "application/json", nil),
            (#"[1,]"#, "application/json", nil),
            ("", "application/json", nil),
        ] as [(String, String, String?)]
    )
    func `a replay returns the recorded response`(
        body: String,
        type: String,
        replayed text: String?
    ) async throws {
        try await withRecording { recording in
            let response = NetworkResponse(
                statusCode: 203,
                headers: ["Content-Type": type, "X-Total": "12", "ETag": "\"7\""],
                body: Data(body.utf8)
            )
            try await recording.record(.to("goods")) { _ in response }

            let replayed = try await recording.replay().response(for: .to("goods"))

            #expect(replayed.statusCode == 203)
            #expect(replayed.headers == response.headers)
            #expect(replayed.url == URLRequest.to("goods").url)
            #expect(String(decoding: replayed.body, as: UTF8.self) == text ?? body)
        }
    }

    // Rule: recording/replay-equals-the-response (1)
    @Test func `bytes that are not text are replayed unchanged`() async throws {
        try await withRecording { recording in
            let bytes = Data(0...255)
            try await recording.record(.to("image")) { _ in NetworkResponse(body: bytes) }

            #expect(try await recording.replay().response(for: .to("image")).body == bytes)
        }
    }

    // Rule: recording/replay-equals-the-response (1)
    @Test func `a body with 64 nested arrays is replayed`() async throws {
        try await withRecording { recording in
            let body = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
            try await recording.record(.to("deep")) { _ in .json(body) }

            let replayed = try await recording.replay().response(for: .to("deep"))

            #expect(String(decoding: replayed.body, as: UTF8.self) == body)
            #expect(try recording.text.contains("json"))
        }
    }

    // Rule: recording/replay-equals-the-response (1)
    @Test func `the URL after a redirect is replayed`() async throws {
        try await withRecording { recording in
            let url = URLRequest.to("v2/goods").url
            try await recording.record(.to("goods")) { _ in NetworkResponse(url: url) }

            #expect(try await recording.replay().response(for: .to("goods")).url == url)
        }
    }

    // Rule: recording/equal-requests-match (2)
    @Test(
        arguments: [
            ("goods?find=pan&size=2", nil, "goods?size=2&find=pan", nil),
            ("goods?find=pan#one", nil, "goods?find=pan#two", nil),
            ("goods?ids=1&size=2&ids=3", nil, "goods?ids=1&ids=3&size=2", nil),
            (
                "graphql", #"{"a": 1, "b": ["é", 2]}"#, "graphql",
                "{\"b\":[\"\\u00e9\",2],\n\"a\":1}"
            ),
            ("goods", "<good/>", "goods", "<good/>"),
        ] as [(String, String?, String, String?)]
    )
    func `an equal request matches`(
        path: String,
        body: String?,
        other: String,
        otherBody: String?
    ) async throws {
        try await withRecording { recording in
            let method = body == nil ? "GET" : "POST"
            try await recording.record(.to(path, method, body: body)) { _ in .json("1") }
            let replay = try recording.replay()

            _ = try await replay.response(for: .to(other, method, body: otherBody))

            #expect(replay.unused.isEmpty)
        }
    }

    // Rule: recording/equal-requests-match (2)
    @Test func `the fields of a form may be in another order`() async throws {
        try await withRecording { recording in
            let type = "application/x-www-form-urlencoded; charset=utf-8"
            try await recording.record(.to("cart", "POST", body: "sku=1&count=2", type: type)) {
                _ in .json("1")
            }
            let replay = try recording.replay()

            await #expect(throws: UnrecordedRequest.self) {
                try await replay.response(
                    for: .to("cart", "POST", body: "sku=1&count=3", type: type)
                )
            }
            _ = try await replay.response(
                for: .to("cart", "POST", body: "count=2&sku=1", type: type)
            )
        }
    }

    // Rule: recording/other-requests-throw (3)
    @Test(arguments: [
        ("PUT", "goods/7?find=pan", #"{"a": {"b": [1, 2]}}"#, "the method: PUT instead of POST"),
        (
            "POST", "goods/8?find=pan", #"{"a": {"b": [1, 2]}}"#,
            "the path: https://api.example.com/v1/goods/8 instead of https://api.example.com/v1/goods/7"
        ),
        (
            "POST", "goods/7?find=pot", #"{"a": {"b": [1, 2]}}"#,
            "the query item “find”: find=pot instead of find=pan"
        ),
        (
            "POST", "goods/7", #"{"a": {"b": [1, 2]}}"#,
            "the query item “find”: nothing instead of find=pan"
        ),
        (
            "POST", "goods/7?find=pan&find=pan", #"{"a": {"b": [1, 2]}}"#,
            "the query item “find”: find=pan&find=pan instead of find=pan"
        ),
        (
            "POST", "goods/7?find=pan", #"{"a": {"b": [1, 2.0]}}"#,
            "the member “a.b[1]” of the body: 2.0 instead of 2"
        ),
        (
            "POST", "goods/7?find=pan", #"{"a": {"b": [1, 2, "x"]}}"#,
            #"the member “a.b[2]” of the body: "x" instead of nothing"#
        ),
        (
            "POST", "goods/7?find=pan", #"{"a": null}"#,
            #"the member “a” of the body: null instead of {"b": [1, 2]}"#
        ),
        (
            "POST", "goods/7?find=pan", "a",
            #"the body: "a" instead of {"a": {"b": [1, 2]}}"#
        ),
    ])
    func `another request throws the nearest one and the difference`(
        method: String,
        path: String,
        body: String,
        difference: String
    ) async throws {
        try await withRecording { recording in
            try await recording.record(
                .to("baskets"),
                .to("goods/7?find=pan", "POST", body: #"{"a": {"b": [1, 2]}}"#)
            ) { _ in .json("1") }
            let replay = try recording.replay()

            let error = await #expect(throws: UnrecordedRequest.self) {
                try await replay.response(for: .to(path, method, body: body))
            }

            #expect(error?.differences == [difference])
            #expect(error?.nearest == "POST https://api.example.com/v1/goods/7?find=pan")
            #expect(error?.request == "\(method) https://api.example.com/v1/\(path)")
            #expect(error?.errorDescription?.contains(difference) == true)
            #expect(error?.errorDescription?.contains("record again") == true)
            #expect(error?.file == recording.file)
            #expect(replay.unused.count == 2)
        }
    }

    // Rule: recording/other-requests-throw (3)
    @Test func `a request that is canonically equivalent but has other bytes throws`() async throws
    {
        try await withRecording { recording in
            try await recording.record(.to("goods", "POST", body: "{\"name\": \"é\"}")) {
                _ in .json("1")
            }

            await #expect(throws: UnrecordedRequest.self) {
                try await recording.replay()
                    .response(for: .to("goods", "POST", body: "{\"name\": \"e\u{301}\"}"))
            }
        }
    }

    // Rule: recording/other-requests-throw (3)
    @Test func `the difference of long texts begins shortly before it`() async throws {
        try await withRecording { recording in
            let start = "query { products { nodes { \(String(repeating: "field ", count: 99))"
            func request(_ name: String) -> URLRequest {
                .to("graphql", "POST", body: #"{"query": "\#(start) \#(name) } } }"}"#)
            }
            try await recording.record(request("title")) { _ in .json("1") }

            let error = await #expect(throws: UnrecordedRequest.self) {
                try await recording.replay().response(for: request("name"))
            }

            #expect(
                error?.differences == [
                    #"the member “query” of the body: … field field field  name } } }" instead of "#
                        + #"… field field field  title } } }""#
                ]
            )
        }
    }

    // Rule: recording/other-requests-throw (3)
    @Test func `a request to an empty recording throws`() async throws {
        try await withRecording { recording in
            try await recording.record { _ in .json("1") }

            let error = await #expect(throws: UnrecordedRequest.self) {
                try await recording.replay().response(for: .to("goods"))
            }

            #expect(error?.nearest == nil)
            #expect(error?.errorDescription?.contains("empty") == true)
        }
    }

    // Rule: recording/unrecorded-is-not-sent (4)
    @Test func `an unrecorded request is not sent and not sent again`() async throws {
        try await withRecording { recording in
            try await recording.record(.to("goods")) { _ in .json("1") }
            let attempts = Counter()
            let replay = try recording.replay()
            let client = NetworkClient(
                baseURL: .api,
                networking: .closure { request in
                    attempts.next()
                    return try await replay.response(for: request)
                },
                behaviors: [RetryBehavior(effects: ManualClock(skipsDelays: true).effects())]
            )

            let error = await #expect(throws: UnrecordedRequest.self) {
                try await client.send(.put("goods", "7"))
            }

            #expect(error?.mayHaveReachedServer == false)
            #expect(attempts.count == 1)
        }
    }

    // Rule: recording/unrecorded-is-reported (20)
    @Test func `an unrecorded request is reported even if its error is discarded`() async throws {
        try await withRecording { recording in
            try await recording.record(.to("goods")) { _ in .json("1") }
            let reports = Lines()
            let replay = try RecordedNetworking(
                recording.file,
                otherwise: { reports.add($0.request) }
            )

            _ = try await replay.response(for: .to("goods"))
            _ = try? await replay.response(for: .to("other"))

            #expect(reports.all == ["GET https://api.example.com/v1/other"])
        }
    }

    // Rule: recording/equal-requests-in-order (5)
    @Test func `equal requests get their responses in the recorded order and then throw`()
        async throws
    {
        try await withRecording { recording in
            let number = Counter()
            try await recording.record(.to("goods"), .to("other"), .to("goods")) { _ in
                .json("\(number.next())")
            }
            let replay = try recording.replay()
            func load(_ path: String) async throws -> Int {
                try await replay.response(for: .to(path)).json()
            }

            #expect(try await load("goods") == 1)
            #expect(replay.unused.map { $0.suffix(5) } == ["goods", "other"])
            #expect(try await load("goods") == 3)
            #expect(try await load("other") == 2)
            #expect(replay.unused.isEmpty)
            let error = await #expect(throws: UnrecordedRequest.self) { try await load("goods") }
            #expect(error?.differences == [])
            #expect(error?.errorDescription?.contains("more often") == true)
        }
    }

    // Rule: recording/headers-on-request (6)
    @Test func `a header field is compared if it was chosen`() async throws {
        try await withRecording { recording in
            recording.comparing = ["Accept-Language"]
            let german = ["accept-language": "de", "X-Version": "1"]
            try await recording.record(.to("goods", headers: german)) { _ in .json("1") }
            let replay = try recording.replay()

            let error = await #expect(throws: UnrecordedRequest.self) {
                try await replay.response(for: .to("goods", headers: ["Accept-Language": "en"]))
            }
            await #expect(throws: UnrecordedRequest.self) {
                try await replay.response(for: .to("goods"))
            }
            let other = ["Accept-Language": "de", "X-Version": "2"]
            _ = try await replay.response(for: .to("goods", headers: other))

            #expect(
                error?.differences
                    == [#"the header field “accept-language”: "en" instead of "de""#]
            )
            #expect(try !recording.text.contains("X-Version"))
        }
    }

    // Rule: recording/failures-are-replayed (7)
    @Test(
        arguments: [
            (NetworkError(.timedOut), .timedOut), (NetworkError(.unreachable), .unreachable),
            (NetworkError(.untrusted), .untrusted), (NetworkError(.incomplete), .incomplete),
            (NetworkError(.insecure), .insecure), (NetworkError(.redirect), .redirect),
            (NetworkError(.tooLarge), .tooLarge), (NetworkError(.unreadable), .unreadable),
            (URLError(.cannotConnectToHost), .unreachable), (URLError(.cancelled), .connectionLost),
        ] as [(any Error, NetworkError.Code)]
    )
    func `a failure of the transport is replayed`(
        failure: any Error,
        code: NetworkError.Code
    ) async throws {
        try await withRecording { recording in
            try await recording.record(.to("goods")) { _ in throw failure }

            let error = await #expect(throws: NetworkError.self) {
                try await recording.replay().response(for: .to("goods"))
            }

            #expect(error?.code == code)
            #expect(error?.url == URLRequest.to("goods").url)
        }
    }

    // Rule: recording/age-counts-from-replay (8)
    @Test(arguments: [(nil, 1), ("10", 1), ("3600", 2)])
    func `a cache uses a replayed response for as long as the recorded one`(
        age: String?,
        count: Int
    ) async throws {
        try await withRecording { recording in
            try await recording.record(.to("goods"), .to("goods")) { _ in
                var response = NetworkResponse.json("1")
                response.headers["Date"] = "Thu, 01 Jan 2015 00:00:00 GMT"
                response.headers["Cache-Control"] = "max-age=60"
                response.headers["Age"] = age
                return response
            }
            let replay = try recording.replay()
            let client = NetworkClient(
                baseURL: .api,
                networking: replay,
                behaviors: [CachingBehavior(cache: ResponseCache(), partition: { "ann" })]
            )

            let values: [Int] = [
                try await client.send(.get("goods")), try await client.send(.get("goods")),
            ]

            #expect(values == [1, 1])
            #expect(replay.unused.count == 2 - count)
        }
    }

    // Rule: recording/replay-is-a-transport (9)
    @Test func `a replay refuses what a transport refuses, and ends when it is cancelled`()
        async throws
    {
        try await withRecording { recording in
            try await recording.record(.to("goods")) { _ in .json("1") }
            let replay = try recording.replay()
            var invalid = URLRequest.to("goods")
            invalid.httpMethod = "GET "

            let error = await #expect(throws: NetworkError.self) {
                try await replay.response(for: invalid)
            }
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await replay.response(for: .to("goods"))
            }
            await #expect(throws: CancellationError.self) { try await task.value }

            #expect(error?.code == .invalidRequest)
            #expect(replay.unused.count == 1)
        }
    }
}
