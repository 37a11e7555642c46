import Foundation
import ProductKit
import Synchronization
import Testing

// Rule: security/no-token-in-text (15)
/// Nothing that prints a token shows its text.
@Suite(.timeLimit(.minutes(5)))
struct AccessTokenTests {
    private let token = AccessToken("canary", expiry: .distantFuture, user: "canary-user")

    // Rule: security/no-token-in-text (15)
    @Test func `no description shows a token`() {
        #expect(text(of: token) == "AccessToken(redacted)")
        #expect("\(token)" == "AccessToken(redacted)")
        #expect(String(reflecting: token) == "AccessToken(redacted)")
    }

    // Rule: security/no-token-in-text (15)
    @Test func `no mirror or dump shows a token`() {
        var dumped = ""
        dump(token, to: &dumped)

        #expect(!dumped.contains("canary"))
        #expect(Mirror(reflecting: token).children.isEmpty)
    }

    // Rule: security/no-token-in-text (15)
    @Test func `nothing around a token shows it`() {
        let holders: [Any] = [
            Optional.some(token) as Any, [token], ["token": token], Set([token]),
            Result<AccessToken, any Error>.success(token), (token, 1), CheckedHolder(token: token),
        ]

        for holder in holders {
            #expect(!text(of: holder).contains("canary"))
        }
    }

    // Rule: security/no-token-in-text (15)
    @Test func `a behavior that has refreshed and rejected tokens shows none`() async throws {
        let behavior = TokenBehavior(
            token: { token },
            refresh: { _ in throw NetworkError(NetworkResponse(statusCode: 401)) }
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
    @Test func `no error of a send shows its token`() async throws {
        let errors = Mutex<[any Error]>([])
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in throw URLError(.timedOut) },
            behaviors: [
                ClosureBehavior(afterFailure: { error in errors.withLock { $0.append(error) } }),
                RetryBehavior(effects: Timeline().effects()),
                TokenBehavior(token: { token }, refresh: { $0 }),
            ]
        )

        await #expect(throws: NetworkError.self) { try await client.send(.boots) }

        let error = try #require(errors.withLock { $0 }.first)
        #expect(!text(of: error).contains("canary"))
        #expect(!error.localizedDescription.contains("canary"))
    }

    @Test func `a token is its text, its end and its user`() {
        let literal: AccessToken = "canary"

        #expect(literal == AccessToken("canary"))
        #expect(literal != token)
        #expect(literal.rawValue == "canary")
        #expect(literal.expiry == nil)
        #expect(literal.user == nil)
        #expect(AccessToken("a", user: "ann") != AccessToken("a", user: "bob"))
        #expect(AccessToken("a", expiry: .distantPast) != AccessToken("a"))
    }

    /// Everything that can be printed of a value, each kind once.
    private func text(of value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        let texts = [String(describing: value), String(reflecting: value)]
        let isSame = Set(texts).count == 1 && dumped.contains(texts[0])
        return isSame ? texts[0] : (texts + [dumped]).joined(separator: "\n")
    }
}

private struct CheckedHolder {
    let token: AccessToken
}
