import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkErrorSecrecyTests {
    private static let addresses = [
        "https://user:canary@api.example.com/v1", "https://canary@api.example.com/v1",
        "https://canary:@api.example.com/v1", "https://api.example.com/v1?token=canary",
        "https://a.example/v1?access_token=canary&page=2", "https://a.example/?api_key=canary",
        "https://a.example/?X-Amz-Signature=canary", "https://a.example/?PASSWORD=canary",
        "https://a.example/?%74oken=canary", "https://a.example/?secret=a&secret=canary",
        "https://a.example/?client_secret=canary+1%26", "https://a.example/?code=canary",
        "https://a.example/?sessionid=canary", "https://a.example/?jwt=canary",
        "https://a.example/v1#canary", "https://a.example/?pwd=canary",
        "https://a.example/?pin=canary",
        "https://a.example/?otp=canary", "https://a.example/?bearer=canary",
        "https://a.example/?a=1;token=canary",
    ]

    private static let answers = [
        NetworkResponse(statusCode: 500), NetworkResponse(statusCode: 401), .webPage,
        NetworkResponse(), .json("{}"), .json("["), .problem(#"{"title": "No"}"#, statusCode: 422),
    ]

    // Rule: errors/request-and-response-are-described (2); security/no-token-in-text (15)
    // Rule: security/no-url-secrets-in-text (16)
    @Test(arguments: addresses, answers)
    func `an answer's error holds no secret`(address: String, answer: NetworkResponse) async throws
    {
        let said = try await said(address, networking: .closure { _ in answer })

        #expect(!said.contains("canary"))
    }

    @Test(arguments: addresses)
    func `a system error holds no secret`(address: String) async throws {
        let said = try await said(
            address,
            networking: .closure { request in
                throw URLError(
                    .timedOut,
                    userInfo: [NSURLErrorFailingURLErrorKey: request.url as Any]
                )
            }
        )

        #expect(!said.contains("canary"))
    }

    @Test(arguments: addresses)
    func `an own error over a system error holds no secret`(address: String) async throws {
        let said = try await said(
            address,
            networking: .closure { request in
                throw NetworkError(
                    .connectionLost,
                    request: request,
                    underlying: URLError(
                        .networkConnectionLost,
                        userInfo: [NSURLErrorFailingURLErrorKey: request.url as Any]
                    )
                )
            }
        )

        #expect(!said.contains("canary"))
    }

    @Test(arguments: addresses)
    func `a refused base URL is told without its secrets`(address: String) async throws {
        let said = try await said(
            address.replacing("https:", with: "ftp:"),
            networking: .closure { _ in NetworkResponse() }
        )

        #expect(said.contains("ftp:"))
        #expect(!said.contains("canary"))
    }

    @Test(arguments: ["canary", "canary\n", "canary\u{0}", "canary\r\nX: canary"])
    func `no error holds a token`(token: String) async throws {
        let said = try await said(
            "https://api.example.com",
            networking: .closure { _ in NetworkResponse(statusCode: 401) },
            token: token
        )

        #expect(said.contains("NetworkError"))
        #expect(!said.contains("canary"))
    }

    @Test func `what is no secret is told`() async throws {
        let said = try await said(
            "https://api.example.com/v1?page=2&color=b%26w&token=canary",
            networking: .closure { _ in NetworkResponse(statusCode: 500) }
        )

        #expect(said.contains("/v1/products/walking-boots?page=2&color=b%26w&token=redacted"))
    }

    /// Everything that anybody could print of the error of one failed send.
    private func said(
        _ address: String,
        networking: ClosureNetworking,
        token: String = "canary"
    ) async throws -> String {
        let client = NetworkClient(
            baseURL: try #require(URL(string: address)),
            networking: networking,
            behaviors: [TokenBehavior { token }]
        )
        let error = try #require(
            await #expect(throws: NetworkError.self) { try await client.send(.boots) }
        )
        var said = [
            "\(error)", error.debugDescription, String(reflecting: error),
            error.localizedDescription, error.errorDescription ?? "", error.reason,
        ].joined(separator: "\n")
        dump(error, to: &said)
        return said
    }
}
