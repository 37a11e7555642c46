import Foundation
import ProductKit
import Testing

/// A 401 of a server to which a request was redirected without its token.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenRedirectTests {
    private let request = OutgoingRequest("GET", .shop("products/boots"))
    private let store = TokenStore("valid")
    private let sends = Counter()

    // Rule: tokens/redirect-is-not-a-refusal (9)
    @Test(arguments: [
        "https://www.example.com/v1/products/boots", "http://api.example.com/v1/products/boots",
        "https://api.example.com:8443/v1/products/boots", "https://login.example/?next=%2F",
    ])
    func `a 401 after a redirect to another server refreshes nothing`(target: String) async throws {
        let url = try #require(URL(string: target))
        let error = try #require(
            await #expect(throws: NetworkError.self) {
                try await store.behavior(refresh: unexpectedRefresh)
                    .send(request) { _ in
                        sends.next()
                        return NetworkResponse(statusCode: 401, url: url)
                    }
            }
        )

        #expect(error.code == .redirect && error.statusCode == 401 && sends.count == 1)
        #expect(error.debugDescription.contains("redirected"))
        #expect(try error.debugDescription.contains(#require(url.host)))
        #expect(!error.debugDescription.contains("valid"))
    }

    // Rule: tokens/redirect-is-not-a-refusal (9)
    @Test(arguments: [
        nil, "https://api.example.com/v1/products/boots", "HTTPS://API.Example.com:443/moved",
    ])
    func `a 401 of the same server refreshes the token`(url: String?) async throws {
        let response = try await store.behavior { _ in "new" }
            .send(request) { request in
                var response = NetworkResponse(to: request, accepting: ["new"])
                response.url = url.flatMap { URL(string: $0) }
                return response
            }

        #expect(response.statusCode == 200 && store.refreshes.count == 1)
    }

    // Rule: tokens/redirect-is-not-a-refusal (9)
    @Test(arguments: [1, 2])
    func `a 401 after a redirect to another server and back refreshes nothing`(
        followerCount: Int
    ) async throws {
        let networking = ClosureNetworking.closure { request in
            let targets = ["https://login.example/", "https://api.example.com/v1/moved"]
            let number = sends.next()
            guard number <= targets.count else {
                return NetworkResponse(statusCode: 401, url: request.url)
            }
            return NetworkResponse(statusCode: 302, headers: ["Location": targets[number - 1]])
        }

        let follower: any Networking = networking.followingRedirects()

        let error = await #expect(throws: NetworkError.self) {
            try await store.behavior(refresh: unexpectedRefresh)
                .send(request) { request in
                    followerCount == 1
                        ? try await follower.response(for: request)
                        : try await follower.followingRedirects().response(for: request)
                }
        }

        #expect(error?.code == .redirect && sends.count == 3)
    }

    // Rule: tokens/redirect-is-not-a-refusal (9)
    @Test(arguments: [200, 403, 404])
    func `another response after a redirect is returned`(statusCode: Int) async throws {
        let response = try await store.behavior(refresh: unexpectedRefresh)
            .send(request) { _ in
                NetworkResponse(statusCode: statusCode, url: URL(string: "https://cdn.example/1"))
            }

        #expect(response.statusCode == statusCode)
    }
}
