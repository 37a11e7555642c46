import Foundation
import ProductKit
import Testing

/// The header fields of a response in its error, and the target of a redirect.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ResponseFieldTests {
    // Rule: errors/response-fields-are-kept (11)
    @Test func `an error has the header fields of the response`() async throws {
        let client = NetworkClient { _ in
            NetworkResponse(statusCode: 503, headers: ["X-Request-Id": "7", "Via": "1.1 a"])
        }

        let error = await client.error(of: .boots)

        #expect(error?.headers == ["X-Request-Id": "7", "Via": "1.1 a"])
        #expect(NetworkError(.timedOut).headers == [:])
    }

    // Rule: errors/response-fields-are-kept (11); security/bodies-on-request-only (36)
    @Test func `no secret field is kept, and no description contains a value`() {
        let response = NetworkResponse(
            statusCode: 500,
            headers: [
                "Set-Cookie": "canary", "X-Access-Token": "canary", "WWW-Authenticate": "canary",
                "Authorization": "canary", "X-Trace": "trace-value",
            ]
        )

        let error = NetworkError(response)

        #expect(error.headers.map(\.name) == ["X-Trace"])
        var dumped = ""
        dump(error, to: &dumped)
        let texts = [
            dumped, "\(error)", error.debugDescription, String(reflecting: error),
            error.localizedDescription, "\(error.headers)",
        ]
        for text in texts { #expect(!text.contains("canary") && !text.contains("trace-value")) }
    }

    // Rule: errors/response-fields-are-kept (11)
    @Test func `header fields that exceed 4 KiB together are left out`() {
        let half = String(repeating: "a", count: 2_000)
        let response = NetworkResponse(
            statusCode: 500,
            headers: ["A": half, "B": half + half, "C": half, "D": half, "E": "1"]
        )

        #expect(NetworkError(response).headers == ["A": half, "C": half, "E": "1"])
    }

    // Rule: errors/redirect-names-its-target (10)
    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirected write is an error that names the target`(statusCode: Int) async throws {
        let location: NetworkHeaders = ["Location": "/v1/goods/?token=canary#canary"]
        let networking = ClosureNetworking.closure { _ in
            NetworkResponse(statusCode: statusCode, headers: location)
        }
        let client = NetworkClient(baseURL: .api, networking: networking.followingRedirects())

        let error = try #require(await client.error(of: .post("goods")))

        #expect(error.code == .redirect && error.statusCode == statusCode)
        #expect(error.mayHaveReachedServer)
        #expect(error.debugDescription.contains("The redirect was not followed."))
        #expect(!error.localizedDescription.contains("goods"))
        let lines = error.debugDescription.split(separator: "\n")
        #expect(lines.contains("location: https://api.example.com/v1/goods/?token=redacted"))
        #expect(!error.debugDescription.contains("canary"))
    }

    @Test(arguments: [300, 304, 305, 399])
    func `another status between 300 and 399 is unexpected`(statusCode: Int) {
        let response = NetworkResponse(statusCode: statusCode, headers: ["Location": "/a"])

        #expect(NetworkError(response).code == .unexpected)
        #expect(NetworkError(NetworkResponse(statusCode: 301)).code == .unexpected)
    }
}
