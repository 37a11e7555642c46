import Foundation
import ProductKit
import Synchronization
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

    @Test func `the body is returned whatever its content type`() async throws {
        let loader = DataLoader(networking: .closure { _ in .webPage })

        #expect(try await loader.data(from: .api) == NetworkResponse.webPage.body)
    }

    @Test func `an empty body is empty data`() async throws {
        let loader = DataLoader(networking: .closure { _ in NetworkResponse(statusCode: 204) })

        #expect(try await loader.data(from: .api).isEmpty)
    }

    @Test(arguments: [304, 403, 404, 500])
    func `a status code other than success throws a network error`(status: Int) async throws {
        let loader = DataLoader(networking: .closure { _ in NetworkResponse(statusCode: status) })

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await loader.data(from: .api) }
        )

        #expect(error.statusCode == status)
        #expect(error.url == .api)
    }

    @Test(arguments: ["file:///etc/passwd", "data:text/plain,a", "ftp://a.example/b", "b.jpg"])
    func `a URL that is not an HTTP URL is rejected without a request`(address: String) async throws
    {
        let url = try #require(URL(string: address))
        let loader = DataLoader(networking: .unimplemented(otherwise: { Issue.record($0) }))

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await loader.data(from: url) }
        )

        #expect(error.code == .invalidRequest)
    }

    @Test func `a URLError is thrown as a network error`() async throws {
        let loader = DataLoader(networking: .closure { _ in throw URLError(.cannotFindHost) })

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await loader.data(from: .api) }
        )

        #expect(error.code == .unreachable)
    }

    @Test func `a load that is cancelled in flight throws CancellationError`() async throws {
        let loader = DataLoader(
            networking: .closure { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                throw URLError(.cancelled)
            }
        )
        let task = Task { try await loader.data(from: .api) }

        await #expect(throws: CancellationError.self) { try await task.value }
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
    func `a cancelled task sends no request`(loader: DataLoader) async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in gate {}
            return try await loader.data(from: .api)
        }

        task.cancel()
        opener.finish()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a closure replaces the network`() async throws {
        let loader = DataLoader(load: { url in Data(url.absoluteString.utf8) })

        #expect(try await loader.data(from: .api) == Data("https://api.example.com/v1".utf8))
    }
}
