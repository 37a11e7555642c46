import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ClosureNetworkingTests {
    @Test func `the closure gets the request and its answer comes back`() async throws {
        let lines = Lines()
        let networking: any Networking = .closure { request in
            lines.add(request.line)
            return NetworkResponse(statusCode: 204)
        }

        let response = try await networking.response(for: URLRequest(url: .api))

        #expect(response == NetworkResponse(statusCode: 204))
        #expect(lines.all == ["GET https://api.example.com/v1"])
    }

    @Test func `what the closure throws reaches the caller unchanged`() async throws {
        let networking: any Networking = .closure { _ in throw ProductError.notFound("boots") }

        await #expect(throws: ProductError.notFound("boots")) {
            try await networking.response(for: URLRequest(url: .api))
        }
    }

    @Test func `an engine that calls back answers`() async throws {
        let networking: any Networking = .closure(completing: { request, complete in
            complete(.success(NetworkResponse(statusCode: 202, url: request.url)))
            return {}
        })

        let response = try await networking.response(for: URLRequest(url: .api))

        #expect(response == NetworkResponse(statusCode: 202, url: .api))
    }

    @Test func `an engine that calls back a failure throws it`() async throws {
        let networking = ClosureNetworking(completing: { _, complete in
            complete(.failure(ListError.notFound("wishes")))
            return {}
        })

        await #expect(throws: ListError.notFound("wishes")) {
            try await networking.response(for: URLRequest(url: .api))
        }
    }

    @Test func `an engine that cannot begin throws why`() async throws {
        let networking = ClosureNetworking(completing: { _, _ in
            throw UnsupportedOperation("begin")
        })

        await #expect(throws: UnsupportedOperation("begin")) {
            try await networking.response(for: URLRequest(url: .api))
        }
    }

    @Test func `an engine is stopped when its caller is cancelled`() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let networking = ClosureNetworking(completing: { _, _ in
            begin.yield()
            return stop.closure()
        })
        let task = Task { try await networking.response(for: URLRequest(url: .api)) }
        _ = await begun.first { _ in true }

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await stops.count == 1)
    }
}
