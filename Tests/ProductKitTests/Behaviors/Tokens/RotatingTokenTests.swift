import Foundation
import ProductKit
import Testing

/// Tokens that responses renew and requests send back.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RotatingTokenTests {
    private let server = NonceServer()

    // Rule: tokens/rotating-token-is-sent-back (10)
    @Test func `each request carries the token of the last response`() async throws {
        let client = client()
        for _ in 1...3 { try await client.send(.put("goods", "pan")) }

        // The first one is refused without a token, and sent again with that of the refusal.
        #expect(server.received == ["", "n1", "n2", "n3"])
        #expect(server.writes == 3)
    }

    // Rule: tokens/rotating-token-is-sent-back (10)
    @Test func `after the refusal of an old token, the request is sent once more`() async throws {
        let client = client()
        let _: Product = try await client.send(.get("goods", "pan"))
        server.renew()

        try await client.send(.post("goods"))

        #expect(server.received == ["", "n1", "n3"] && server.writes == 1)
    }

    // Rule: tokens/refusal-is-repeated-once (11)
    @Test func `a request that is refused again is not sent a third time`() async throws {
        let client = NetworkClient(behaviors: [RotatingTokenBehavior(header: "Nonce")]) { request in
            server.receive(request)
            return NetworkResponse(statusCode: 403, headers: ["Nonce": "n\(server.received.count)"])
        }

        let error = await client.error(of: .post("goods"))

        #expect(error?.code == .forbidden && server.received == ["", "n1"])
    }

    // Rule: tokens/refusal-is-repeated-once (11)
    @Test(
        arguments: [
            (401, nil), (403, nil), (403, ""), (403, "n0"), (401, "n1"), (400, "n1"), (500, "n1"),
        ] as [(Int, String?)]
    )
    func `a refusal for another reason is returned`(statusCode: Int, token: String?) async throws {
        let received = Counter()
        let client = NetworkClient(behaviors: [RotatingTokenBehavior(header: "Nonce")]) { _ in
            if received.next() == 1 { return .json("{}", headers: ["Nonce": "n0"]) }
            let fields: NetworkHeaders = token.map { ["Nonce": $0] } ?? [:]
            return NetworkResponse(statusCode: statusCode, headers: fields)
        }
        try await client.send(.put("goods"))

        let error = await client.error(of: .post("goods"))

        #expect(error?.statusCode == statusCode && received.count == 2)
    }

    // Rule: tokens/refusal-is-repeated-once (11)
    @Test func `a missing token does not refresh the session`() async throws {
        let anna = ServiceUser.signedIn(
            "anna",
            token: { AccessToken("access") },
            refresh: unexpectedRefresh
        )
        let service = service(for: anna) { request in
            var response = server.response(to: request)
            if response.statusCode == 403 { response.statusCode = 401 }
            return response
        }

        try await service.listManager.addProduct(withID: "pan", toListWithID: "camp")

        #expect(server.received == ["", "n1"] && server.writes == 1)
    }

    // Rule: tokens/rotating-token-stays-with-service (12)
    @Test func `the token of one user is not sent for another one`() async throws {
        let (anna, ben) = (service(for: .signedIn("anna")), service(for: .signedIn("ben")))

        _ = try await anna.loader.loadProduct(withID: "pan")
        _ = try await ben.loader.loadProduct(withID: "pan")
        _ = try await anna.loader.loadProduct(withID: "pot")

        #expect(server.received == ["", "", "n1"])
    }

    // Rule: tokens/rotating-token-stays-with-service (12)
    @Test func `the cache does not store the token`() async throws {
        let cache = ResponseCache()
        let service = service(for: .signedIn("anna"), cache: cache)
        let requests = Lines()
        _ = try await service.with(behaviors: [
            ClosureBehavior(intercept: { request, next in
                let response = try await next(request)
                requests.add(response.headers["Nonce"] ?? "none")
                return response
            })
        ])
        .loader.fetchProduct(withID: "pan")

        _ = try await service.loader.fetchProduct(withID: "pan")

        #expect(requests.all == ["none"] && server.received == [""])
        #expect(cache.summaries().count == 1)
    }

    // Rule: tokens/rotating-token-stays-with-service (12)
    @Test func `the token of another server is ignored`() async throws {
        let client = NetworkClient(behaviors: [RotatingTokenBehavior(header: "Nonce")]) { request in
            server.receive(request)
            return NetworkResponse(
                headers: ["Nonce": "foreign"],
                url: URL(string: "https://other.example/goods")
            )
        }

        for _ in 1...2 { try await client.send(.put("goods")) }

        #expect(server.received == ["", ""])
    }

    // Rule: tokens/rotating-token-is-sent-back (10)
    @Test func `a request with a token of its own is sent once, and its response renews the token`()
        async throws
    {
        let client = client()
        await #expect(throws: NetworkError.self) {
            try await client.send(.put("goods").header("Nonce", "n9"))
        }
        try await client.send(.put("goods"))

        #expect(server.received == ["n9", "n1"] && server.writes == 1)
    }

    // Rule: tokens/rotating-token-is-sent-back (10)
    @Test func `a late response with the token of its request does not undo a renewal`()
        async throws
    {
        let gate = ActionGate<Void>()
        let received = Lines()
        let client = NetworkClient(behaviors: [RotatingTokenBehavior(header: "Nonce", token: "n1")])
        { request in
            let token = request.value(forHTTPHeaderField: "Nonce") ?? ""
            received.add(token)
            if request.httpMethod == "GET" { try await gate.hold() }
            return .json("[]", headers: ["Nonce": request.httpMethod == "GET" ? token : "n2"])
        }
        let load = Task { try await client.send(NetworkRequest<Page<Int>>.get("goods")) }
        await gate.waitForCalls(1)
        try await client.send(.put("goods"))
        gate.open()
        _ = try await load.value

        try await client.send(.put("goods"))

        #expect(received.all == ["n1", "n1", "n2"])
    }

    // Rule: tokens/rotating-token-stays-with-service (12)
    @Test func `a token survives a restart if the app stores it`() async throws {
        let stored = Lines()
        func client(token: String?) -> NetworkClient {
            NetworkClient(behaviors: [
                RotatingTokenBehavior(header: "Nonce", token: token) { stored.add($0) }
            ]) { server.response(to: $0) }
        }

        let _: Product = try await client(token: nil).send(.get("goods", "pan"))
        try await client(token: stored.all.last).send(.post("goods"))

        #expect(server.received == ["", "n1"] && stored.all == ["n1", "n2"])
        #expect(server.writes == 1)
    }

    // Rule: tokens/rotating-token-stays-with-service (12)
    @Test func `a response after the sign-out does not change the token that the app stores`()
        async throws
    {
        let (stored, tokens) = (Lines(), Counter())
        let gate = ActionGate<Void>()
        let anna = ServiceUser.signedIn(
            "anna",
            token: {
                tokens.next()
                return AccessToken("access")
            },
            refresh: { $0 }
        )
        let rotating = RotatingTokenBehavior(header: "Nonce") { stored.add($0) }
        let service = service(for: anna, rotating: rotating) { request in
            guard request.httpMethod == "POST" else { return server.response(to: request) }
            try? await gate.hold()
            return NetworkResponse(statusCode: 401, headers: ["Nonce": "n2"])
        }
        _ = try await service.loader.loadProduct(withID: "pan")
        let edit = Task {
            try await service.listManager.addProduct(withID: "pan", toListWithID: "camp")
        }
        await gate.waitForCalls(1)

        await service.signOut()

        await #expect(throws: CancellationError.self) { try await edit.value }
        // After the 401 has passed the behavior, the access token is read a third time.
        #expect(await eventually { tokens.count == 3 })
        #expect(stored.all == ["n1"])
    }

    private func client() -> NetworkClient {
        NetworkClient(behaviors: [RotatingTokenBehavior(header: "Nonce")]) {
            server.response(to: $0)
        }
    }

    private func service(
        for user: ServiceUser,
        cache: ResponseCache? = nil,
        rotating: RotatingTokenBehavior = RotatingTokenBehavior(header: "Nonce"),
        respond: (@Sendable (URLRequest) async throws -> NetworkResponse)? = nil
    ) -> ProductService {
        let backend = ProductBackend(
            client: NetworkClient(respond: respond ?? { server.response(to: $0) }),
            cache: cache,
            rotatingToken: { _ in rotating },
            loader: { client in
                ProductLoader(load: { id in try await client.send(.get("goods", id)) })
            },
            listManager: { client in
                ListManager(addProduct: { product, list in
                    try await client.send(.post("lists", list, product))
                })
            }
        )
        return ProductService(backend: backend, localUser: .shopper, user: user)
    }
}

/// A server that renews its nonce with each response, and refuses writes without the latest one.
private struct NonceServer: Sendable {
    /// The nonces of all requests; empty for those without one.
    @Observed private(set) var received: [String] = []
    /// The number of writes that the server has carried out.
    @Observed private(set) var writes = 0
    @Observed private var number = 0

    /// Makes the current nonce an old one.
    func renew() { _number.next() }

    func receive(_ request: URLRequest) {
        let nonce = request.value(forHTTPHeaderField: "Nonce") ?? ""
        _received.add(nonce)
    }

    func response(to request: URLRequest) -> NetworkResponse {
        receive(request)
        let isCurrent = request.value(forHTTPHeaderField: "Nonce") == "n\(number)"
        let fields: NetworkHeaders = ["Nonce": "n\(_number.next())", "Cache-Control": "max-age=60"]
        if request.httpMethod != "GET" {
            guard isCurrent else { return NetworkResponse(statusCode: 403, headers: fields) }
            _writes.next()
        }
        let id = request.url?.lastPathComponent ?? ""
        return .json(#"{"id": "\#(id)", "name": "Product"}"#, headers: fields)
    }
}
