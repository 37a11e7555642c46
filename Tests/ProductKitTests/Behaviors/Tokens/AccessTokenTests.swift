import Foundation
import ProductKit
import Testing

// Rule: security/no-token-in-text (15)
/// Tests that no description, dump or error contains the text of a token.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AccessTokenTests {
    private let token = AccessToken("canary", expiry: .distantFuture, user: "canary-user")

    // Rule: security/no-token-in-text (15)
    @Test func `no text of a token, or of a value with a token, contains its secret`() {
        let values: [Any] = [
            token, Optional.some(token) as Any, [token], ["token": token], Set([token]),
            Result<AccessToken, any Error>.success(token), (token, 1), TokenHolder(token: token),
        ]

        #expect("\(token)" == "AccessToken(redacted)")
        #expect(String(reflecting: token) == "AccessToken(redacted)")
        #expect(Mirror(reflecting: token).children.isEmpty)
        for value in values { #expect(!text(of: value).contains("canary")) }
    }

    // Rule: security/no-token-in-text (15)
    @Test func `the description of a behavior does not contain its tokens`() async throws {
        let behavior = TokenStore(token).behavior { _ in throw NetworkError.invalidGrant() }
        let error = try #require(
            await #expect(throws: TokenError.self) {
                try await behavior.send { _ in NetworkResponse(statusCode: 401) }
            }
        )

        #expect(!text(of: behavior).contains("canary") && !text(of: error).contains("canary"))
    }

    // Rule: security/no-token-in-text (15)
    @Test func `the error of a request does not contain its token`() async throws {
        let client = NetworkClient(behaviors: [
            RetryBehavior(effects: .skippingDelays), TokenStore(token).behavior { $0 },
        ]) { _ in throw URLError(.timedOut) }

        let error = try #require(await client.error(of: .boots))

        #expect(!text(of: error).contains("canary"))
        #expect(!error.localizedDescription.contains("canary"))
    }

    @Test func `tokens with the same text, expiry and user are equal`() {
        let plain = AccessToken("canary")

        #expect(plain == AccessToken("canary") && plain != token)
        #expect(plain.rawValue == "canary" && plain.expiry == nil && plain.user == nil)
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

    /// The description, debug description and dump of a value.
    private func text(of value: Any) -> String {
        var text = String(describing: value) + String(reflecting: value)
        dump(value, to: &text)
        return text
    }
}

private struct TokenHolder {
    let token: AccessToken
}
