import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenBehaviorTests {
    @Test(
        arguments: [
            (TokenBehavior { "demo-token" }, ["Authorization": "Bearer demo-token"]),
            (TokenBehavior { nil }, [:]),
            (
                TokenBehavior(header: "X-Api-Key", scheme: nil) { "demo-token" },
                ["X-Api-Key": "demo-token"]
            ),
            (
                TokenBehavior(header: "Proxy-Authorization", scheme: "DPoP") { "demo-token" },
                ["Proxy-Authorization": "DPoP demo-token"]
            ),
        ] as [(TokenBehavior, [String: String])]
    )
    func `a request gets the token in the chosen field, or none`(
        behavior: TokenBehavior,
        fields: [String: String]
    ) async throws {
        _ = try await behavior.send { request in
            #expect(request.allHTTPHeaderFields ?? [:] == fields)
            return NetworkResponse()
        }
    }

    @Test func `a request that already has credentials is unchanged`() async throws {
        let own = OutgoingRequest("GET", headers: ["Authorization": "Basic own"])

        _ = try await TokenBehavior { "demo-token" }
            .send(own) { request in
                #expect(request.allHTTPHeaderFields == ["Authorization": "Basic own"])
                return NetworkResponse()
            }
    }

    // Rule: tokens/token-stays-with-its-user (7)
    @Test func `the header fields of a token are sent with it, and with no other credentials`()
        async throws
    {
        @Sendable func token(_ text: String) -> AccessToken {
            var token = AccessToken(text)
            token.headers = ["saas-token": "second \(text)"]
            return token
        }
        let store = TokenStore(token("old"))
        let behavior = store.behavior { _ in token("new") }
        let seconds = Lines()
        for own in [nil, "Basic own"] {
            var request = OutgoingRequest("GET")
            request.headers["Authorization"] = own
            let response = try await behavior.send(request) { request in
                seconds.add(request.value(forHTTPHeaderField: "saas-token") ?? "-")
                var response = store.response(to: request, accepting: ["new"])
                response.headers["saas-token"] = "repeated"
                return response
            }
            #expect(response.headers["saas-token"] == (own == nil ? nil : "repeated"))
        }

        #expect(seconds.all == ["second old", "second new", "-"])
    }

    @Test func `the token closure is called for every exchange`() async throws {
        let store = TokenStore()
        let tokens = Mutex(["first", "second"])
        let behavior = TokenBehavior { tokens.withLock { $0.removeFirst() } }

        for _ in 0..<2 { _ = try await behavior.send { store.response(to: $0) } }

        #expect(store.sent == ["first", "second"])
    }

    @Test func `an error of the token closure ends the request`() async throws {
        let behavior = TokenBehavior { throw UnsupportedOperation("token") }

        await #expect(throws: UnsupportedOperation("token")) {
            try await NetworkClient.sendingNothing(behaviors: [behavior]).send(.boots)
        }
    }

    @Test(arguments: ["a\nb", "a\r\nX: y", "\u{0}"])
    func `an invalid token throws an error that does not contain it`(token: String) async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await TokenBehavior { token }.send { _ in NetworkResponse() }
        }

        #expect(error?.code == .invalidRequest)
        #expect(error?.debugDescription.contains("“Authorization”") == true)
        #expect(error?.debugDescription.contains(token) == false)
    }

    @Test func `without a refresh a 401 is returned unchanged`() async throws {
        let response = try await TokenBehavior { "demo-token" }
            .send { _ in NetworkResponse(statusCode: 401) }

        #expect(response == NetworkResponse(statusCode: 401))
    }
}
