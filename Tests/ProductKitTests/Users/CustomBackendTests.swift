import Foundation
import ProductKit
import Synchronization
import Testing

/// Services of a backend with an API of its own.
@Suite(.serialized, .timeLimit(.minutes(5))) final class CustomBackendTests: Sendable {
    private let requests = Mutex<[URLRequest]>([])
    private let cache = ResponseCache()

    // Rule: cache/any-backend-is-cached (73)
    @Test func `products of a backend with another API and other tokens are stored for each user`()
        async throws
    {
        let (ann, bob) = (service(for: "ann"), service(for: "bob"))
        _ = try await ann.loader.loadProduct(withID: "pan")

        let stored = try await ann.loader.fetchProduct(withID: "pan", policy: .cacheOnly)

        #expect(stored.source.code == .cache && stored.value.name == "ann")
        await expectNetworkError(.notCached) {
            try await bob.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        }
    }

    // Rule: security/sign-out-ends-any-backend (38)
    @Test func `signing out ends a request of a backend with another API, and empties its cache`()
        async throws
    {
        let gate = ActionGate<Void>()
        let service = service(for: "ann") { [self] in
            if requests.withLock(\.count) > 1 { try await gate.hold() }
        }
        _ = try await service.loader.loadProduct(withID: "pan")
        let load = Task { try await service.loader.loadProduct(withID: "pan") }
        await gate.waitForCalls(1)

        await service.signOut()

        await #expect(throws: CancellationError.self) { try await load.value }
        #expect(cache.summaries().isEmpty)
        await #expect(throws: TokenError.sessionEnded) {
            try await service.loader.loadProduct(withID: "pan")
        }
        gate.open()
    }

    // Rule: cache/any-backend-is-cached (73)
    @Test func `a call and a write invalidate responses of a backend with another API`()
        async throws
    {
        let service = service(for: "ann")
        _ = try await service.loader.loadProduct(withID: "pan")

        service.invalidate(.api.appending(path: "goods/pan"))
        _ = try await service.loader.fetchProduct(withID: "pan")
        try await service.listManager.addProduct(withID: "pan", toListWithID: "camp")
        _ = try await service.loader.fetchProduct(withID: "pan")

        #expect(requests.withLock { $0.map(\.httpMethod) } == ["GET", "GET", "PUT", "GET"])
    }

    // Rule: cache/success-removes-responses (44)
    @Test func `without related URLs, a write to a backend invalidates all responses of its user`()
        async throws
    {
        let (ann, bob) = (service(for: "ann", related: nil), service(for: "bob", related: nil))
        for service in [ann, bob] { _ = try await service.loader.loadProduct(withID: "pot") }

        try await ann.listManager.addProduct(withID: "pan", toListWithID: "camp")

        #expect(try await ann.loader.fetchProduct(withID: "pot").source.code == .network)
        #expect(try await bob.loader.fetchProduct(withID: "pot").source.code == .cache)
    }

    // Rule: outbox/key-is-same-per-request (61); cache/user-fields-are-in-lookup (80)
    @Test func `another currency does not change the key of a saved edit`() async throws {
        let (keys, queries) = (Lines(), Lines())
        let backend = ProductBackend(
            client: NetworkClient(
                baseURL: .api,
                networking: .closure { request in
                    keys.add(request.value(forHTTPHeaderField: "Idempotency-Key") ?? "none")
                    queries.add(request.url?.query() ?? "none")
                    throw NetworkError(.unreachable)
                }
            ),
            retry: RetryBehavior(attempts: 1),
            recognizesIdempotencyKeys: true,
            query: { client in ["currency": client.currency] },
            loader: { _ in ProductLoader(load: { Product(id: $0, name: "Pan") }) },
            listManager: { client in
                ListManager(addProduct: { id, list in
                    let line = NetworkRequest<Void>.post("lists", list, "lines")
                    try await client.send(line.json(["product": id]))
                })
            }
        )
        let outbox = Outbox.controlled()
        for currency in ["EUR", "USD"] {
            let service = ProductService(
                backend: backend,
                localUser: LocalUser(currency: currency),
                user: .signedIn("ann"),
                outbox: outbox
            )
            if currency == "EUR" {
                try await service.outbox?.save(.addProduct("pan", toList: "camp"))
            }
            _ = try await service.outbox?.sendAll()
        }

        #expect(Set(queries.all) == ["currency=EUR", "currency=USD"])
        #expect(Set(keys.all).count == 1 && keys.all.first != "none")
    }

    // Rule: cache/user-fields-are-in-lookup (80)
    @Test func `query items of the user are in all requests, and keep stored responses apart`()
        async throws
    {
        let received = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                received.add("\(request.httpMethod ?? "") \(request.url?.query() ?? "-")")
                let currency = request.url?.query()?.contains("EUR") == true ? "EUR" : "USD"
                return .json(
                    #"{"id": "pan", "name": "\#(currency)"}"#,
                    headers: ["Cache-Control": "max-age=60"]
                )
            }
        )
        let backend = ProductBackend(
            client: client,
            cache: ResponseCache(),
            query: { client in
                ["currency": client.currency, "a": client.languageCode, "none": nil]
            },
            loader: { client in
                ProductLoader(load: { id in try await client.send(.get("goods", id)) })
            },
            listManager: { client in
                ListManager(addProduct: { id, list in
                    let addition = NetworkRequest<Void>.post("lists", list, id)
                    try await client.send(addition.queryItem("currency", "CHF"))
                })
            }
        )
        func service(_ currency: String) -> ProductService {
            let user = LocalUser(currency: currency, locale: Locale(identifier: "en_US"))
            return ProductService(backend: backend, localUser: user, user: .signedIn("ann"))
        }

        for currency in ["EUR", "USD"] {
            let loader = service(currency).loader
            #expect(try await loader.loadProduct(withID: "pan").name == currency)
        }
        for currency in ["EUR", "USD"] {
            let stored = try await service(currency).loader
                .fetchProduct(withID: "pan", policy: .cacheOnly)
            #expect(stored.value.name == currency)
        }
        try await service("EUR").listManager.addProduct(withID: "pan", toListWithID: "camp")

        #expect(
            received.all == [
                "GET a=en&currency=EUR", "GET a=en&currency=USD", "POST currency=CHF&a=en",
            ]
        )
    }

    // Rule: cache/user-fields-are-in-lookup (80)
    @Test(arguments: [nil, "Accept-Language"], [false, true])
    func `a response is stored for each value of the header fields of the user`(
        vary: String?,
        repeatsVary: Bool
    ) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { [self] request in
                requests.withLock { $0.append(request) }
                let currency = request.value(forHTTPHeaderField: "X-Currency") ?? "-"
                var headers: NetworkHeaders = ["ETag": "\"\(currency)\""]
                headers["Vary"] = vary
                guard request.value(forHTTPHeaderField: "If-None-Match") == nil else {
                    if !repeatsVary { headers["Vary"] = nil }
                    return NetworkResponse(statusCode: 304, headers: headers)
                }
                return .json(#"{"id": "pan", "name": "\#(currency)"}"#, headers: headers)
            }
        )
        let backend = ProductBackend(
            client: client,
            cache: cache,
            headers: { client in
                let currency = client.currency == "NONE" ? nil : client.currency
                return ["X-Currency": currency, "X-User": client.userID, "X-None": nil]
            },
            loader: { client in
                ProductLoader(load: { id in
                    let request = NetworkRequest<Product>.get("goods", id)
                    return try await client.send(
                        id == "own" ? request.header("X-Currency", "CHF") : request
                    )
                })
            },
            listManager: { _ in ListManager(addProduct: { _, _ in }) }
        )
        func loader(_ currency: String, language: String = "en") -> ProductLoader {
            let user = LocalUser(currency: currency, locale: Locale(identifier: language))
            return ProductService(backend: backend, localUser: user, user: .signedIn("ann")).loader
        }

        let none = try await loader("NONE").loadProduct(withID: "pan")
        #expect(none.name == "-")
        for currency in ["EUR", "USD", "EUR", "USD"] {
            #expect(try await loader(currency).loadProduct(withID: "pan").name == currency)
        }
        for currency in ["EUR", "USD"] {
            let stored = try await loader(currency)
                .fetchProduct(withID: "pan", policy: .cacheOnly)
            #expect(stored.value.name == currency)
        }
        await expectNetworkError(.notCached) {
            try await loader("GBP").fetchProduct(withID: "pan", policy: .cacheOnly)
        }
        if vary != nil {
            await expectNetworkError(.notCached) {
                try await loader("EUR", language: "de")
                    .fetchProduct(withID: "pan", policy: .cacheOnly)
            }
        }

        #expect(fields("X-User") == ["ann", "ann", "ann", "ann", "ann"])
        #expect(fields("X-None") == [nil, nil, nil, nil, nil])
        #expect(fields("If-None-Match") == [nil, nil, nil, "\"EUR\"", "\"USD\""])
        _ = try? await loader("EUR").loadProduct(withID: "own")
        #expect(fields("X-Currency").last == "CHF")
    }

    @Test func `behaviors of a service are added to the requests of its loader and its lists`()
        async throws
    {
        let service = service(for: "ann")
        let traced = service.with(behaviors: [
            ClosureBehavior(additionalHeaders: { ["X-Trace": "7"] })
        ])

        _ = try await traced.viewModel(forProductWithID: "pan")
        try await traced.edit()
        try await service.edit()

        #expect(fields("X-Trace") == ["7", "7", nil])
    }

    private func fields(_ name: String) -> [String?] {
        requests.withLock { $0.map { $0.value(forHTTPHeaderField: name) } }
    }

    private func service(
        for user: String,
        before response: @escaping @Sendable () async throws -> Void = {},
        related: (@Sendable (URL) -> [URL])? = { _ in [.api.appending(path: "goods/pan")] }
    ) -> ProductService {
        ProductBackend(
            client: NetworkClient(
                baseURL: .api,
                networking: .closure { [self] request in
                    requests.withLock { $0.append(request) }
                    try await response()
                    let token = request.value(forHTTPHeaderField: "X-Shop-Token") ?? ""
                    return NetworkResponse(
                        headers: ["Cache-Control": "max-age=60"],
                        body: Data(#"{"id": "pan", "name": "\#(token.dropFirst(4))"}"#.utf8)
                    )
                }
            ),
            cache: cache,
            related: related,
            tokenHeader: "X-Shop-Token",
            tokenScheme: "Key",
            loader: { client in
                ProductLoader(load: { id in try await client.send(.get("goods", id)) })
            },
            listManager: { client in
                ListManager(addProduct: { product, list in
                    try await client.send(.put("baskets", list, product))
                })
            }
        )
        .service(of: user)
    }
}
