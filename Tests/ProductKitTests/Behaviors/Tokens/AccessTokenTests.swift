import Foundation
import ProductKit
import Synchronization
import Testing

// Rule: security/no-token-in-text (15)
/// Tests that no description, dump or error contains the text of a token.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AccessTokenTests {
    private let token = AccessToken("canary", expiry: .distantFuture, user: "canary-user")

    // Rule: security/no-token-in-text (15)
    @Test func `the description of a token does not contain its text`() {
        #expect(text(of: token) == "AccessToken(redacted)")
        #expect("\(token)" == "AccessToken(redacted)")
        #expect(String(reflecting: token) == "AccessToken(redacted)")
    }

    // Rule: security/no-token-in-text (15)
    @Test func `the mirror and the dump of a token do not contain its text`() {
        var dumped = ""
        dump(token, to: &dumped)

        #expect(!dumped.contains("canary"))
        #expect(Mirror(reflecting: token).children.isEmpty)
    }

    // Rule: security/no-token-in-text (15)
    @Test func `the description of a value with a token does not contain its text`() {
        let values: [Any] = [
            Optional.some(token) as Any, [token], ["token": token], Set([token]),
            Result<AccessToken, any Error>.success(token), (token, 1), TokenHolder(token: token),
        ]

        for value in values {
            #expect(!text(of: value).contains("canary"))
        }
    }

    // Rule: security/no-token-in-text (15)
    @Test func `the description of a behavior does not contain its tokens`() async throws {
        let behavior = TokenBehavior(
            effects: ManualClock().effects(),
            token: { token },
            refresh: { _ in throw NetworkError.invalidGrant() }
        )
        let error = try #require(
            await #expect(throws: TokenError.self) {
                try await behavior.send { _ in NetworkResponse(statusCode: 401) }
            }
        )

        #expect(!text(of: behavior).contains("canary"))
        #expect(!text(of: error).contains("canary"))
    }

    // Rule: security/no-token-in-text (15)
    @Test func `the error of a request does not contain its token`() async throws {
        let errors = Mutex<[any Error]>([])
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in throw URLError(.timedOut) },
            behaviors: [
                ClosureBehavior(afterFailure: { error in errors.withLock { $0.append(error) } }),
                RetryBehavior(effects: ManualClock(skipsDelays: true).effects()),
                TokenBehavior(
                    effects: ManualClock().effects(),
                    token: { token },
                    refresh: { $0 }
                ),
            ]
        )

        await #expect(throws: NetworkError.self) { try await client.send(.boots) }

        let error = try #require(errors.withLock { $0 }.first)
        #expect(!text(of: error).contains("canary"))
        #expect(!error.localizedDescription.contains("canary"))
    }

    @Test func `tokens with the same text, expiry and user are equal`() {
        let plain = AccessToken("canary")

        #expect(plain == AccessToken("canary"))
        #expect(plain != token)
        #expect(plain.rawValue == "canary")
        #expect(plain.expiry == nil)
        #expect(plain.user == nil)
        #expect(AccessToken("a", user: "ann") != AccessToken("a", user: "bob"))
        #expect(AccessToken("a", expiry: .distantPast) != AccessToken("a"))
    }

    // Rule: tokens/expiry-of-jwt (14)
    @Test(arguments: [
        (#"{"exp": 1000, "name": "~~??>>"}"#, 1000), (#"{"exp": 1000.5}"#, 1000.5),
        (#"{"iat": 7, "sub": "ann", "exp": 2e9}"#, 2e9), (#"{"exp": "soon"}"#, nil),
        (#"{"iat": 7}"#, nil), ("[1]", nil), ("", nil),
    ])
    func `the claim exp of a JWT is its expiry`(claims: String, expiry: Double?) {
        let payload = Data(claims.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        let token = AccessToken(jwt: "e30.\(payload).c2ln", user: "ann")

        #expect(token.expiry == expiry.map { Date(timeIntervalSince1970: $0) })
        #expect(token.rawValue == "e30.\(payload).c2ln" && token.user == "ann")
    }

    // Rule: tokens/expiry-of-jwt (14)
    @Test func `a JWT may expire earlier, and another text has no expiry`() {
        let jwt = "e30.\(Data(#"{"exp":1000}"#.utf8).base64EncodedString()).c2ln"
        let token = AccessToken(jwt: jwt, expiringEarlierBy: .seconds(90))

        #expect(token.expiry == Date(timeIntervalSince1970: 910))
        for text in ["demo-token", "a.b", "e30.%%.x", jwt + ".d", ".", ""] {
            #expect(AccessToken(jwt: text) == AccessToken(text))
        }
    }

    /// The description, debug description and dump of a value, only one of them if they are equal.
    private func text(of value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        let texts = [String(describing: value), String(reflecting: value)]
        let isSame = Set(texts).count == 1 && dumped.contains(texts[0])
        return isSame ? texts[0] : (texts + [dumped]).joined(separator: "\n")
    }
}

private struct TokenHolder {
    let token: AccessToken
}
