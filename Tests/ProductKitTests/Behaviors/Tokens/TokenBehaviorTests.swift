import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenBehaviorTests {
    @Test func `a request gets the token`() async throws {
        let fields = try await fieldsSent(by: TokenBehavior { "demo-token" })

        #expect(fields == ["Authorization": "Bearer demo-token"])
    }

    @Test func `without a token the request is sent unsigned`() async throws {
        let fields = try await fieldsSent(by: TokenBehavior { nil })

        #expect(fields == [:])
    }

    @Test(
        arguments: [
            ("X-Api-Key", nil, "demo-token"), ("Authorization", "Basic", "Basic demo-token"),
            ("Proxy-Authorization", "DPoP", "DPoP demo-token"),
        ] as [(String, String?, String)]
    )
    func `header field and scheme can be chosen`(
        header: String,
        scheme: String?,
        value: String
    ) async throws {
        let behavior = TokenBehavior(header: header, scheme: scheme) { "demo-token" }

        #expect(try await fieldsSent(by: behavior) == [header: value])
    }

    @Test func `a request that already has credentials is unchanged`() async throws {
        let fields = try await fieldsSent(
            by: TokenBehavior { "demo-token" },
            credentials: "Basic own"
        )

        #expect(fields == ["Authorization": "Basic own"])
    }

    @Test func `the token closure is called for every exchange`() async throws {
        let tokens = Mutex(["first", "second"])
        let sent = Mutex<[String?]>([])
        let behavior = TokenBehavior { tokens.withLock { $0.removeFirst() } }

        for _ in 0..<2 {
            _ = try await behavior.send { request in
                sent.withLock { $0.append(request.token) }
                return NetworkResponse()
            }
        }

        #expect(sent.withLock { $0 } == ["first", "second"])
    }

    @Test func `an error of the token closure ends the request`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .unimplemented(otherwise: { Issue.record($0) }),
            behaviors: [TokenBehavior { throw UnsupportedOperation("token") }]
        )

        await #expect(throws: UnsupportedOperation("token")) { try await client.send(.boots) }
    }

    @Test(arguments: ["a\nb", "a\r\nX: y", "\u{0}"])
    func `an invalid token throws an error that does not contain it`(token: String) async throws {
        let behavior = TokenBehavior { token }

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await fieldsSent(by: behavior) }
        )

        #expect(error.code == .invalidRequest)
        #expect(error.debugDescription.contains("“Authorization”"))
        #expect(!String(reflecting: error).contains(token))
    }

    @Test func `without a refresh a 401 is returned unchanged`() async throws {
        let response = try await TokenBehavior { "demo-token" }
            .send { _ in NetworkResponse(statusCode: 401) }

        #expect(response == NetworkResponse(statusCode: 401))
    }

    private func fieldsSent(
        by behavior: TokenBehavior,
        credentials: String? = nil
    ) async throws -> [String: String] {
        let fields = Mutex<[String: String]>([:])
        var request = OutgoingRequest(url: .api)
        request.headers["Authorization"] = credentials
        _ = try await behavior.send(request) { request in
            fields.withLock { $0 = request.allHTTPHeaderFields ?? [:] }
            return NetworkResponse()
        }
        return fields.withLock { $0 }
    }
}
