import Foundation
import ProductKit
import Testing

/// The header fields of a client, such as a key of the app, and the status codes that its responses mean.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FixedFieldTests {
    // Rule: requests/meant-status-code (19)
    @Test func `tokens, retries and caches see the status code that a response means`() async throws
    {
        let sent = Lines()
        let bodies = [
            #"{"error": "EXPIRED"}"#, #"{"error": "BUSY"}"#, #"{"id": "pan", "name": "Pan"}"#,
            #"{"error": "OTHER"}"#,
        ]
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                sent.add(request.token ?? "none")
                return .json(bodies[sent.all.count - 1], headers: ["Cache-Control": "max-age=60"])
            },
            statusCode: { response in
                switch try? response.json(String.self, at: "error") {
                case nil: nil
                case "EXPIRED": 401
                case "BUSY": 429
                default: 422
                }
            },
            failure: { response in NetworkError(response, code: "error") }
        )
        let backend = ProductBackend(
            client: client,
            cache: ResponseCache(),
            effects: .stopped,
            loader: { client in
                ProductLoader(load: { id in try await client.send(.get("goods", id)) })
            },
            listManager: { _ in .only() }
        )
        let user = ServiceUser.signedIn(
            "ann",
            with: "t1",
            token: { AccessToken($0) },
            refresh: { $0 + "+" },
            onChange: { _ in }
        )
        let service = ProductService(backend: backend, localUser: .shopper, user: user)

        _ = try await service.loader.loadProduct(withID: "pan")
        _ = try await service.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        let error = await #expect(throws: NetworkError.self) {
            try await service.loader.loadProduct(withID: "pot")
        }

        #expect(sent.all == ["t1", "t1+", "t1+", "t1+"])
        #expect(error?.code == .rejected && error?.problem?.type == "OTHER")
        #expect(error?.statusCode == 422)
        #expect(service.userID == "ann")
    }

    // Rule: requests/meant-status-code (19)
    @Test func `the closure for the status code gets the decoder of the client`() async throws {
        struct Failure: Decodable { let errorCode: Int }
        let bodies = [#"{"error_code": 409}"#, #"{"error_code": 0}"#, "{}"]
        let sent = Counter()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json(bodies[sent.next() - 1]) },
            usesSnakeCase: true,
            statusCode: { response in try? response.json(Failure.self).errorCode }
        )

        let error = await client.error(of: .put("a"))
        for _ in 1...2 { try await client.send(.put("a")) }

        #expect(error?.code == .conflict && error?.statusCode == 409)
    }

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
                    try await client.send(.put("goods", id), behaviors: [looking])
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

        try await client(received, behaviors: [inner]).send(.put("goods"))
        try await client(received).send(.put("goods").header("X-Key", "k3"))

        #expect(received.all == ["k2", "k3"])
    }

    // Rule: requests/fixed-fields-come-last (16)
    @Test func `the media type of a client replaces that of all requests`() async throws {
        let received = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                received.add(request.value(forHTTPHeaderField: "Accept") ?? "none")
                return .json("[]")
            },
            headers: ["accept": "application/ld+json"]
        )

        _ = try await client.send(NetworkRequest<[Int]>.get("goods"))
        try await client.send(NetworkRequest<Void>.put("goods"))
        _ = try await client.send(NetworkRequest<[Int]>.get("goods").header("Accept", "text/json"))

        #expect(received.all == ["application/ld+json", "application/ld+json", "text/json"])
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

        let error = await client.error(of: .put("a"))

        #expect(error?.code == .invalidRequest)
    }

    private func client(_ received: Lines, behaviors: [any RequestBehavior] = []) -> NetworkClient {
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
