import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
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
        "https://a.example/?a=1;token=canary", "https://a.example/?sid=canary",
        "https://a.example/?PHPSESSID=canary", "https://a.example/?hmac=canary",
        "https://a.example/?hash=canary", "https://a.example/?pw=canary",
        "https://a.example/?sess=canary", "https://a.example/?cookie=canary",
        "https://a.example/?cred=canary", "https://a.example/?sas=canary",
        "https://a.example/?ticket=canary", "https://a.example/?assertion=canary",
        "https://a.example/?SAMLResponse=canary", "https://a.example/?refresh=canary",
        "https://a.example/?access=canary", "https://a.example/?cvv=canary",
        "https://a.example/?card=canary", "https://a.example/?token%FF=canary",
        "https://a.example/?next=%2Flogin%3Ftoken%3Dcanary",
        "https://a.example/?u=https%3A%2F%2Fb.example%2F%3Fu%3D%252F%253F%252574oken%253Dcanary",
        "https://a.example/?u=https%3A%2F%2Fcanary%40b.example%2F",
        "https://a.example/?u=%FFapp%3A%2F%2Fback%23canary",
        "https://a.example/?q=%7B%22a%22:%22canary%22%7D",
        "https://a.example/?q=%5B%22canary%22%5D",
        "https://a.example/?q=+%7B%22canary%22", "https://a.example/?q=eyJcanary",
    ]

    private static let responses = [
        NetworkResponse(statusCode: 500), NetworkResponse(statusCode: 401), .webPage,
        NetworkResponse(), .json("{}"), .json("["), .problem(#"{"title": "No"}"#, statusCode: 422),
    ]

    // Rule: errors/request-and-response-are-described (2); security/no-token-in-text (15)
    // Rule: security/no-url-secrets-in-text (16)
    @Test(arguments: addresses, responses)
    func `the error for a response contains no secret`(
        address: String,
        response: NetworkResponse
    ) async throws {
        let texts = try await texts(address, networking: .closure { _ in response })

        #expect(!texts.contains("canary"))
    }

    @Test(arguments: addresses)
    func `a system error contains no secret, also as the underlying one`(
        address: String
    ) async throws {
        let networking = [true, false].map { isUnderlying in
            ClosureNetworking.closure { request in
                let error = URLError(
                    .timedOut,
                    userInfo: [NSURLErrorFailingURLErrorKey: request.url as Any]
                )
                guard isUnderlying else { throw error }
                throw NetworkError(.connectionLost, request: request, underlying: error)
            }
        }

        for networking in networking {
            #expect(try await !texts(address, networking: networking).contains("canary"))
        }
    }

    @Test(arguments: addresses)
    func `the error for an invalid base URL contains it without secrets`(
        address: String
    ) async throws {
        let texts = try await texts(
            address.replacing("https:", with: "ftp:"),
            networking: .closure { _ in NetworkResponse() }
        )

        #expect(texts.contains("ftp:") && !texts.contains("canary"))
    }

    @Test(arguments: ["canary", "canary\n", "canary\u{0}", "canary\r\nX: canary"])
    func `no error contains a token`(token: String) async throws {
        let texts = try await texts(
            "https://api.example.com",
            networking: .closure { _ in NetworkResponse(statusCode: 401) },
            token: token
        )

        #expect(texts.contains("NetworkError") && !texts.contains("canary"))
    }

    @Test func `an error contains the URL except for secrets`() async throws {
        let texts = try await texts(
            "https://api.example.com/v1?page=2&color=b%26w&token=canary&currencyCode=EUR&code=canary",
            networking: .closure { _ in NetworkResponse(statusCode: 500) }
        )

        #expect(texts.contains("/v1/products/walking-boots?page=2&color=b%26w&token=redacted"))
        #expect(texts.contains("&currencyCode=EUR&code=redacted") && !texts.contains("canary"))
    }

    // Rule: security/no-url-secrets-in-text (16)
    @Test(arguments: ["data:text/plain,canary", "mailto:canary", "DATA:canary?a=canary"])
    func `only the scheme of a URL without a host is shown`(address: String) throws {
        let url = try #require(URL(string: address))

        let error = NetworkError(.invalidRequest, request: URLRequest(url: url))

        let scheme = try #require(url.scheme)
        #expect(error.url?.absoluteString == "\(scheme):redacted")
    }

    /// All texts that a program can print about the error of a failed send.
    private func texts(
        _ address: String,
        networking: ClosureNetworking,
        token: String = "canary"
    ) async throws -> String {
        let client = NetworkClient(
            baseURL: try #require(URL(string: address)),
            networking: networking,
            behaviors: [TokenBehavior { token }]
        )
        let error = try #require(await client.error(of: .boots))
        var texts = [
            "\(error)", error.debugDescription, String(reflecting: error),
            error.localizedDescription, error.errorDescription ?? "", error.reason,
        ].joined(separator: "\n")
        dump(error, to: &texts)
        return texts
    }
}
