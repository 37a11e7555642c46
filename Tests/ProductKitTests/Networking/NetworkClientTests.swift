import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkClientTests {
    @Test func `a send returns the decoded response`() async throws {
        let lines = Lines()
        let client = NetworkClient { request in
            lines.add(request.line)
            return try NetworkResponse(json: Product.boots)
        }

        let product = try await client.send(NetworkRequest<Product>.boots)

        #expect(product == .boots)
        #expect(lines.all == ["GET https://api.example.com/v1/products/walking-boots"])
    }

    @Test func `a client without behaviors sends only the request`() async throws {
        let client = NetworkClient { request in
            #expect(
                request.allHTTPHeaderFields == [
                    "Accept": "application/json, */*;q=0.1", "If-Match": "\"7\"",
                ]
            )
            #expect(request.httpBody == nil)
            return NetworkResponse(statusCode: 204)
        }

        try await client.send(NetworkRequest<Void>.delete("lists", 7).header("If-Match", "\"7\""))
    }

    @Test(arguments: [200, 201, 204, 206, 299])
    func `every status between 200 and 299 is a success`(status: Int) async throws {
        let client = NetworkClient { _ in NetworkResponse(statusCode: status) }

        #expect(try await client.send(NetworkRequest<NetworkResponse>.get()).statusCode == status)
    }

    @Test(arguments: [100, 199, 300, 304, 400, 404, 500, 599])
    func `any other status is a failure`(status: Int) async throws {
        let client = NetworkClient { _ in NetworkResponse(statusCode: status) }

        let error = await client.error(of: NetworkRequest<NetworkResponse>.get())

        #expect(error?.statusCode == status)
        #expect(error?.method == "GET" && error?.url == .api)
    }

    @Test func `the request is added to the NetworkError of a failure closure`() async throws {
        let client = NetworkClient(
            failure: { NetworkError(.forbidden, response: $0, reason: "Pay first.") }
        ) { _ in NetworkResponse(statusCode: 402) }

        let error = await client.error(of: .boots)

        #expect(error?.code == .forbidden)
        #expect(error?.url?.lastPathComponent == "walking-boots")
    }

    // Rule: errors/unexpected-body-is-an-error (5); security/web-page-is-an-error (28)
    @Test(arguments: [.webPage, NetworkResponse(), .json("7"), .json("{}"), .json("{")])
    func `a success with an unexpected body is unreadable`(response: NetworkResponse) async throws {
        let client = NetworkClient { _ in response }

        let error = await client.error(of: .boots)

        #expect(error?.code == .unreadable && error?.statusCode == 200)
        #expect(error?.url?.lastPathComponent == "walking-boots")
        #expect(error?.body == response.body)
    }

    @Test func `another error of the networking is thrown unchanged`() async throws {
        let client = NetworkClient { _ in throw UnsupportedOperation("network") }

        await #expect(throws: UnsupportedOperation("network")) { try await client.send(.boots) }
    }

    @Test func `a NetworkError keeps its own request`() async throws {
        let other = try #require(URL(string: "https://other.example"))
        let client = NetworkClient { _ in
            throw NetworkError(.redirect, request: URLRequest(url: other), reason: "No.")
        }

        let error = await client.error(of: .boots)

        #expect(error?.code == .redirect)
        #expect(error?.url == other)
        #expect(error?.reason == "No.")
    }

    @Test(
        arguments: [
            (nil, "PUT", .seconds(-1)), ("7", "PUT", .seconds(30)), ("7", "PUT", .zero),
            ("7", "PUT", .seconds(1_000_000_001)), ("7", "GET", .seconds(30)),
        ] as [(String?, String, Duration)]
    )
    func `a request that is invalid after a behavior is refused`(
        body: String?,
        method: String,
        timeout: Duration
    ) async throws {
        let change = ClosureBehavior(modify: { request in
            request.method = method
            request.body = body.map { Data($0.utf8) }
            request.timeout = timeout
        })

        let error = await #expect(throws: NetworkError.self) {
            try await NetworkClient.sendingNothing().send(.boots, behaviors: [change])
        }

        #expect(error?.code == .invalidRequest)
    }
}
