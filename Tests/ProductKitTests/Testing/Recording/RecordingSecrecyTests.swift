import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.serialized, .timeLimit(.minutes(5))) struct RecordingSecrecyTests {
    /// Requests with the secret `s3cr3t`, each at another place.
    private static let requests: [URLRequest] = [
        .to("goods", headers: ["Authorization": "Bearer s3cr3t"]),
        .to("goods?access_token=s3cr3t&find=pan"),
        .to("goods?consumer%5Fsecret=s3cr3t"),
        .to("goods?x=1;token=s3cr3t"),
        .to("goods?variables=%7B%22password%22%3A%22s3cr3t%22%7D"),
        .to("goods?next=https%3A%2F%2Fa.example%2F%3Fkey%3Ds3cr3t"),
        .to("goods?find='pan'&token=s3cr3t"),
        .to("goods;jsessionid=s3cr3t?find=pan"),
        .to("index.php?/rest/goods&access_token=s3cr3t"),
        .to("index.php?a/b=1&access_token=s3cr3t"),
        .to("index.php?code=s3cr3t"),
        .to("goods?authorization=Bearer+s3cr3t"),
        .to("goods?next=%2F%2Fann%3As3cr3t%40host"),
        .to("verify/eyJhbGciOiJub25lIn0.e30.s3cr3t"),
        .to("goods#token=s3cr3t"),
        .to("login", "POST", body: #"{"user": "ann", "password": "s3cr3t"}"#),
        .to("login", "POST", body: #"{"a": [{"apiKey": {"value": ["s3cr3t"]}}]}"#),
        .to("login", "POST", body: #"{"cardNumber": "s3cr3t"}"#),
        .to("login", "POST", body: #"{"payload": "{\"token\": \"s3cr3t\"}"}"#),
        .to("login", "POST", body: #"{"cart": "gid://shop/Cart/1?key=s3cr3t"}"#),
        .to("login", "POST", body: #"{"cart": "/carts/1?key=s3cr3t"}"#),
        .to("login", "POST", body: #"{"cart": "https://ann:s3cr3t@a.example/"}"#),
        .to("login", "POST", body: #"{"cart": "https://ann:p@s3cr3t@a.example/"}"#),
        .to("login", "POST", body: #"{"cart": "//ann:s3cr3t@a.example/"}"#),
        .to("login", "POST", body: #"{"cart": "https://a.example/,https://b:s3cr3t@c/"}"#),
        .to("login", "POST", body: #"{"cart": "https://a.example/#token=s3cr3t"}"#),
        .to("login", "POST", body: #"{"fields": [{"name": "password", "value": "s3cr3t"}]}"#),
        .to("login", "POST", body: #"{"fields": [{"key": "token", "value": "s3cr3t"}]}"#),
        .to("login", "POST", body: #"{"lines": ["Authorization: Bearer s3cr3t"]}"#),
        .to("login", "POST", body: #"{"grant_type": "authorization_code", "code": "s3cr3t"}"#),
        .to("login", "POST", body: #"{"url": "token='s3cr3t'"}"#),
        .to("login", "POST", body: #"{"url": "(eyJhbGciOiJub25lIn0.e30.s3cr3t)"}"#),
        .to("login", "POST", body: #"{"url": "eyJhbGciOiJub25lIn0..a.b.s3cr3t"}"#),
        .to("login", "POST", body: #"{"value": "eyJhbGciOiJub25lIn0.e30.s3cr3t"}"#),
        .to("login", "POST", body: #"{"token": "s3cr3t""#),
        .to("login", "POST", body: #"{"token": {"value": "s3cr3t""#),
        .to("login", "POST", body: #"{"token" : "a\"s3cr3t""#),
        .to("login", "POST", body: #"[{"a": "{\"token\":\"s3cr3t\"}""#),
        .to("login", "POST", body: "data: {\"token\":\"s3cr3t\"}\n\n", type: "text/event-stream"),
        .to("login", "POST", body: ")]}',\n{\"token\":\"s3cr3t\"}"),
        .to("login", "POST", body: "done({\"token\":\"s3cr3t\"})", type: "text/javascript"),
        .to("login", "POST", body: "a/b=1&token=s3cr3t", type: "text/plain"),
        .to("login", "POST", body: "\u{FEFF}{\"token\": \"s3cr3t\"}"),
        .to("login", "POST", body: "{\"a\": 1}\n{\"token\": \"s3cr3t\"}"),
        .to("login", "POST", body: "see https://a.example/?token=s3cr3t", type: "text/plain"),
        .to("login", "POST", body: "id=1&oauth_token=s3cr3t", type: "text/plain"),
        .to("login", "POST", body: "a=1; sid=s3cr3t", type: "text/plain"),
        .to(
            "login",
            "POST",
            body: "grant_type=code&client_secret=s3cr3t",
            type: "application/x-www-form-urlencoded"
        ),
    ]

    // Rule: recording/secrets-are-removed (10)
    @Test(arguments: requests)
    func `a secret of a request is neither recorded nor in an error`(
        request: URLRequest
    )
        async throws
    {
        try await withRecording { recording in
            recording.comparing = ["Authorization"]
            try await recording.record(request) { _ in .json("1") }
            let replay = try recording.replay()

            _ = try await replay.response(for: request)

            let error = await #expect(throws: UnrecordedRequest.self) {
                try await replay.response(for: request)
            }
            #expect(try !recording.text.contains("s3cr3t"))
            #expect(error.map { !"\($0) \($0.localizedDescription)".contains("s3cr3t") } == true)
            try await recording.record(.to("other")) { _ in .json("1") }
            let other = await #expect(throws: UnrecordedRequest.self) {
                try await recording.replay().response(for: request)
            }
            #expect(other.map { !"\($0) \($0.localizedDescription)".contains("s3cr3t") } == true)
        }
    }

    // Rule: recording/secrets-are-removed (10)
    @Test(arguments: [
        "access", "accessToken", "apikey", "api_key", "authKey", "authkey", "clientSecret", "cvv2",
        "new-password", "passcode", "pass", "passwd", "pinCode", "PINCode", "privateKey",
        "privatekey",
        "refresh", "securityCode", "session", "sid", "user_passwords", "userAPIKey", "x.signature",
    ])
    func `a member with a name that contains the word of a secret is removed`(
        name: String
    ) async throws {
        try await withRecording { recording in
            try await recording.record(.to("a", "POST", body: #"{"\#(name)": "s3cr3t"}"#)) { _ in
                .json("1", headers: [name: "s3cr3t"])
            }

            #expect(try !recording.text.contains("s3cr3t"))
        }
    }

    // Rule: recording/secrets-are-removed (10)
    @Test func `a password in Base64 after Basic is removed, and an ordinary text stays`()
        async throws
    {
        try await withRecording { recording in
            let credentials = Data("ann:s3cr3t".utf8).base64EncodedString()
            let body =
                #"{"a": "Basic \#(credentials)", "b": "Basic Shirt", "c": "Basic \#("QQ==")"}"#
            try await recording.record(.to("goods")) { _ in .json(body) }

            let response = try await recording.replay().response(for: .to("goods"))

            let text = String(decoding: response.body, as: UTF8.self)
            #expect(text == body.replacing(credentials, with: "redacted"))
        }
    }

    // Rule: recording/secrets-are-removed (10)
    @Test(
        arguments: [
            (#"{"access_token": "s3cr3t"}"#, #"{"access_token": "redacted"}"#),
            (#"{"pin": 51437}"#, #"{"pin": 0}"#),
            (#"{"session": {"id": "s3cr3t"}}"#, #"{"session": {"id": "redacted"}}"#),
            (#"{"token": "", "hasPassword": true, "key": null}"#, nil),
            (
                #"{"checkoutUrl": "https://a.example/c?key=s3cr3t&v=1"}"#,
                #"{"checkoutUrl": "https://a.example/c?key=redacted&v=1"}"#
            ),
            (#"{"image": "https://a.example/über.png?v=1#x", "text": "Why? #1 <b>a=b</b>"}"#, nil),
            (#"{"currencyCode": "EUR", "author": "Ann", "shipping": "4.90"}"#, nil),
            (#"{"rich": "{\"a\":1}"}"#, nil),
            (
                #"{"giftCard": {"amount": 50}, "key": "pan", "keyword": "[a]", "nextPageToken": "2"}"#,
                nil
            ),
            (#"{"error": {"code": "stale"}, "fields": [{"name": "size", "value": "L"}]}"#, nil),
            (#"{"after": "eyJsYXN0X2lkIjoxfQ", "html": "//cdn/a@2x.png //@b a//c@2x"}"#, nil),
            (
                #"data: {"pin": 51437, "token": null, "secret": ""}"#,
                #"data: {"pin": 0, "token": null, "secret": ""}"#
            ),
            (#"{"id": "Z2lkOi8vpinA=="}"#, nil),
        ] as [(String, String?)]
    )
    func `secrets of a response are removed and other values stay`(
        body: String,
        replayed: String?
    ) async throws {
        try await withRecording { recording in
            try await recording.record(.to("goods")) { _ in
                .json(
                    body,
                    headers: [
                        "Set-Cookie": "id=s3cr3t", "X-Access-Token": "s3cr3t",
                        "Link": "<https://a.example/?page=2&token=s3cr3t>; rel=\"next\"",
                        "Location": "/a?code=s3cr3t",
                    ]
                )
            }

            let response = try await recording.replay().response(for: .to("goods"))

            #expect(try !recording.text.contains("s3cr3t"))
            let text = String(decoding: response.body, as: UTF8.self)
            let sorted = #"{"hasPassword": true, "key": null, "token": ""}"#
            let expected = replayed ?? (body.contains("hasPassword") ? sorted : body)
            let author = #"{"author": "Ann", "currencyCode": "EUR", "shipping": "4.90"}"#
            #expect(text == (body.contains("author") ? author : expected))
            #expect(response.headers["Set-Cookie"] == nil)
            #expect(
                response.headers["Link"]
                    == "<https://a.example/?page=2&token=redacted>; rel=\"next\""
            )
            #expect(response.headers["Location"] == "/a?code=redacted")
        }
    }

    // Rule: recording/secrets-are-removed (10)
    @Test func `a secret in the URL after a redirect is removed`() async throws {
        try await withRecording { recording in
            let url = URLRequest.to("goods?token=s3cr3t").url
            try await recording.record(.to("goods")) { _ in NetworkResponse(url: url) }

            let response = try await recording.replay().response(for: .to("goods"))

            #expect(response.url == URLRequest.to("goods?token=redacted").url)
            #expect(try !recording.text.contains("s3cr3t"))
        }
    }

    // Rule: recording/other-secrets-match (11)
    @Test(arguments: requests)
    func `a request with another secret matches`(request: URLRequest) async throws {
        try await withRecording { recording in
            recording.comparing = ["Authorization"]
            try await recording.record(request) { _ in .json("1") }
            let replay = try recording.replay()
            var other = request
            other.url = URL(
                string: (request.url?.absoluteString ?? "").replacing("s3cr3t", with: "n3w")
            )
            other.httpBody = request.httpBody.map {
                Data(String(decoding: $0, as: UTF8.self).replacing("s3cr3t", with: "n3w").utf8)
            }
            other.allHTTPHeaderFields = request.allHTTPHeaderFields?.mapValues {
                $0.replacing("s3cr3t", with: "n3w")
            }

            _ = try await replay.response(for: other)

            #expect(replay.unused.isEmpty)
        }
    }

    // Rule: recording/own-redactions (12)
    @Test func `your own names and texts are removed, and kept names stay`() async throws {
        try await withRecording { recording in
            recording.redaction = RecordingRedaction(
                names: ["customerNumber", "X-Customer"],
                keeping: ["code", "session"],
                text: { $0.replacing("ann@example.com", with: "user@example.com") }
            )
            let body = #"{"session": "pan", "customerNumber": "s3cr3t", "mail": "ann@example.com"}"#
            try await recording.record(
                .to("ann@example.com?code=EUR&CustomerNumber=s3cr3t", "POST", body: body)
            ) { _ in
                NetworkResponse(
                    headers: ["X-Customer": "s3cr3t", "X-Mail": "ann@example.com"],
                    body: Data("ann@example.com".utf8)
                )
            }
            let text = try recording.text
            let replay = try recording.replay()

            let error = await #expect(throws: UnrecordedRequest.self) {
                try await replay.response(
                    for: .to(
                        "ann@example.com?code=USD&CustomerNumber=n3w",
                        "POST",
                        body: body.replacing("s3cr3t", with: "n3w")
                    )
                )
            }

            #expect(!text.contains("s3cr3t") && !text.contains("ann@example.com"))
            #expect(text.contains(#""session": "pan""#))
            #expect(
                error?.differences == [
                    "the query item “code”: code=USD instead of code=EUR"
                ]
            )
        }
    }

    // Rule: recording/own-redactions (12)
    @Test func `the closure for texts changes forms`() async throws {
        try await withRecording { recording in
            recording.redaction = RecordingRedaction { $0.replacing("ann", with: "user") }
            let type = "application/x-www-form-urlencoded"
            try await recording.record(.to("a", "POST", body: "name=ann", type: type)) { _ in
                .json("1")
            }

            #expect(try !recording.text.contains("ann"))
        }
    }

    // Rule: recording/own-redactions (12)
    @Test(
        arguments: [
            .to("goods?customer=7"), .to("goods", "POST", body: #"{"customer": "7"}"#),
            .to("goods", "POST", body: "customer=7", type: "application/x-www-form-urlencoded"),
            .to("goods", "POST", body: "see ?customer=7", type: "text/plain"),
            .to("goods", headers: ["Customer": "7"]),
        ] as [URLRequest]
    )
    func `a recording is redacted again with the rules of the replay`(
        request: URLRequest
    ) async throws {
        try await withRecording { recording in
            recording.comparing = ["Customer"]
            try await recording.record(request) { _ in .json("1") }
            #expect(try recording.text.contains("7"))
            recording.redaction = RecordingRedaction(names: ["customer"])
            let replay = try recording.replay()

            _ = try await replay.response(for: request)

            #expect(replay.unused.isEmpty)
        }
    }
}
