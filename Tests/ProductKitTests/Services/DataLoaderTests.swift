import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct DataLoaderTests {
    @Test func `behaviors apply to each request`() async throws {
        let loader = DataLoader(
            networking: .closure { request in
                let field = request.value(forHTTPHeaderField: "X-App-Version") ?? ""
                return NetworkResponse(body: Data(field.utf8))
            },
            behaviors: [ClosureBehavior(additionalHeaders: { ["X-App-Version": "1.4"] })]
        )

        #expect(try await loader.data(from: .api) == Data("1.4".utf8))
    }

    @Test(
        arguments: [
            "https://images.example.com", "https://images.example.com/boots/",
            "https://images.example.com//a%2Fb/gr%C3%B6%C3%9Fe.jpg?w=640&h=%2B&flag",
            "http://localhost:8080/a.png",
        ]
    )
    func `the bytes at a URL are loaded without header fields`(
        address: String
    ) async throws {
        let url = try #require(URL(string: address))
        let loader = DataLoader(
            networking: .closure { request in
                #expect(request.line == "GET \(address)")
                #expect(request.allHTTPHeaderFields ?? [:] == [:])
                #expect(request.httpBody == nil)
                return NetworkResponse(body: Data([0, 255, 7]))
            }
        )

        #expect(try await loader.data(from: url) == Data([0, 255, 7]))
        #expect(try await loader.get(url) == Data([0, 255, 7]))
    }

    @Test func `a file that a closure of a service loads has no header fields of the API`()
        async throws
    {
        let files = DataLoader(
            networking: .closure { request in
                NetworkResponse(body: Data("\(request.allHTTPHeaderFields ?? [:])".utf8))
            }
        )
        let loader = ProductLoader(load: { id in
            Product(id: id, name: String(decoding: try await files.data(from: .api), as: UTF8.self))
        })
        .with(behaviors: [ClosureBehavior(additionalHeaders: { ["X-Key": "canary"] })])

        #expect(try await loader.loadProduct(withID: "boots").name == "[:]")
    }

    @Test(arguments: [NetworkResponse.webPage, NetworkResponse(statusCode: 204)])
    func `the body is returned whatever its content type, also an empty one`(
        response: NetworkResponse
    ) async throws {
        let loader = DataLoader(networking: .closure { _ in response })

        #expect(try await loader.data(from: .api) == response.body)
    }

    @Test(arguments: [304, 403, 404, 500])
    func `a status code other than success throws a network error`(status: Int) async {
        let loader = DataLoader(networking: .closure { _ in NetworkResponse(statusCode: status) })

        let error = await #expect(throws: NetworkError.self) { try await loader.data(from: .api) }

        #expect(error?.statusCode == status && error?.url == .api)
    }

    @Test(arguments: ["file:///etc/passwd", "data:text/plain,a", "ftp://a.example/b", "b.jpg"])
    func `a URL that is not an HTTP URL is rejected without a request`(address: String) async throws
    {
        let url = try #require(URL(string: address))
        let loader = DataLoader(networking: .unimplemented(otherwise: { Issue.record($0) }))

        await expectNetworkError(.invalidRequest) { try await loader.data(from: url) }
    }

    @Test(
        arguments: [
            DataLoader(networking: .unimplemented(otherwise: { Issue.record($0) })),
            DataLoader(load: { _ in
                Issue.record("The closure was called.")
                return Data()
            }),
        ]
    )
    func `a cancelled task sends no request`(loader: DataLoader) async {
        await expectCancellation(of: [{ _ = try await loader.data(from: .api) }])
    }
}
