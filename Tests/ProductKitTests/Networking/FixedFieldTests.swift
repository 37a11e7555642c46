import Foundation
import ProductKit
import Testing

/// The header fields of a client, such as a key of the app.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FixedFieldTests {
    // Rule: requests/fixed-fields-come-last (16)
    @Test func `no behavior sees the fields of the client`() async throws {
        let (seen, received) = (Lines(), Lines())
        let looking = ClosureBehavior(intercept: { request, next in
            seen.add(request.headers["X-Key"] ?? "none")
            return try await next(request)
        })
        let backend = ProductBackend(
            client: client(received, behaviors: [looking]),
            loader: { client in
                ProductLoader(load: { id in
                    _ = try await client.send(
                        NetworkRequest<[Int]>.get("goods", id),
                        behaviors: [looking]
                    )
                    return Product(id: id, name: "Pan")
                })
            },
            listManager: { _ in .only() }
        )
        let anna = ServiceUser.signedIn("anna") { "token" }
        let service = ProductService(backend: backend, localUser: .shopper, user: anna)

        _ = try await service.loader.loadProduct(withID: "pan")

        #expect(seen.all == ["none", "none"] && received.all == ["k1"])
    }

    // Rule: requests/fixed-fields-come-last (16)
    @Test func `a field of the request or of a behavior takes precedence`() async throws {
        let received = Lines()
        let inner = ClosureBehavior(additionalHeaders: { ["x-key": "k2"] })

        try await client(received, behaviors: [inner]).send(NetworkRequest<Void>.put("goods"))
        try await client(received)
            .send(NetworkRequest<Void>.put("goods").header("X-Key", "k3"))

        #expect(received.all == ["k2", "k3"])
    }

    // Rule: requests/fixed-fields-come-last (16)
    @Test func `a Vary that names such a field keeps no response off the disk`() async throws {
        let received = Lines()
        try await TemporaryDisk.with { disk in
            for _ in 1...2 {
                let caching = disk.launch().behavior
                let _: [Int] = try await client(received, behaviors: [caching]).send(.get("goods"))
            }
        }

        #expect(received.all == ["k1"])
    }

    // Rule: requests/fixed-fields-come-last (16)
    @Test func `a field that HTTP does not allow is refused`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .unimplemented(otherwise: { Issue.record($0) }),
            headers: ["X-Key": "a\nb"]
        )

        let error = await #expect(throws: NetworkError.self) {
            try await client.send(NetworkRequest<Void>.put("goods"))
        }

        #expect(error?.code == .invalidRequest)
    }

    private func client(
        _ received: Lines,
        behaviors: [any RequestBehavior] = []
    ) -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                received.add(request.value(forHTTPHeaderField: "X-Key") ?? "none")
                return .json("[]", headers: ["Cache-Control": "max-age=60", "Vary": "X-Key"])
            },
            headers: ["X-Key": "k1"],
            behaviors: behaviors
        )
    }
}
