import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ClosureNetworkingTests {
    @Test func `the closure receives the request and returns the response`() async throws {
        let lines = Lines()
        let networking: any Networking = .closure { request in
            lines.add(request.line)
            return NetworkResponse(statusCode: 204)
        }

        let response = try await networking.response(for: URLRequest(url: .api))

        #expect(response == NetworkResponse(statusCode: 204))
        #expect(lines.all == ["GET https://api.example.com/v1"])
    }

    @Test func `an error of the closure is thrown unchanged`() async throws {
        let networking: any Networking = .closure { _ in throw ProductError.notFound("boots") }

        await #expect(throws: ProductError.notFound("boots")) {
            try await networking.response(for: URLRequest(url: .api))
        }
    }
}
