import Foundation
import ProductKit
import Testing

/// The client with which an app sends further requests for the user of a service.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServiceClientTests {
    private let sent = Lines()
    private let request = NetworkRequest<Void>.post("reviews")

    private func service() -> ProductService {
        let backend = ProductBackend(
            baseURL: .api,
            networking: .closure { [sent] request in
                let names = ["Authorization", "Accept-Language", "X-Screen"]
                let fields = names.map { request.value(forHTTPHeaderField: $0) ?? "-" }
                sent.add(fields.joined(separator: ", "))
                return NetworkResponse(statusCode: 204)
            }
        )
        return backend.service(of: "ann")
    }

    // Rule: requests/service-sends-further-requests (26)
    @Test func `it adds the token and the language of the user`() async throws {
        try await service().client.send(request)

        #expect(sent.all == ["Bearer ann, en-US, -"])
    }

    // Rule: requests/service-sends-further-requests (26)
    @Test func `it has the further behaviors of a service`() async throws {
        let screen = ClosureBehavior(additionalHeaders: { ["X-Screen": "reviews"] })
        let service = service()

        try await service.with(behaviors: [screen]).client.send(request)
        try await service.client.send(request)

        #expect(sent.all == ["Bearer ann, en-US, reviews", "Bearer ann, en-US, -"])
    }

    // Rule: requests/service-sends-further-requests (26); security/sign-out-ends-requests (35)
    @Test func `it sends nothing after the sign-out`() async throws {
        let service = service()
        let client = service.client

        await service.signOut()

        for client in [client, service.client] {
            await #expect(throws: TokenError.sessionEnded) { try await client.send(request) }
        }
        #expect(sent.all.isEmpty)
    }

    // Rule: requests/service-sends-further-requests (26)
    @Test func `without a backend, nothing is sent`() async throws {
        let service = ProductService.inMemory()

        for service in [service, service.with(behaviors: [ClosureBehavior()])] {
            await #expect(throws: UnimplementedAction.self) {
                try await service.client.send(request)
            }
        }
    }
}
