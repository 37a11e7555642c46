import Foundation
import ProductKit
import Synchronization
import Testing

/// The idempotency keys of the requests that an outbox sends.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxKeyTests {
    // Rule: outbox/key-is-same-per-request (61)
    @Test func `each request of a change has one key, the same in each attempt`() async throws {
        let keys = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                let key = request.value(forHTTPHeaderField: "Idempotency-Key") ?? "none"
                keys.add("\(request.httpMethod ?? "") \(key)")
                return NetworkResponse(statusCode: keys.all.count < 5 ? 502 : 204)
            }
        )
        let outbox = Outbox.controlled().start { change in
            _ = try? await client.send(NetworkRequest<Product>.get("products", "boots"))
            try await client.send(.put("favorites", "boots"))
            try await client.send(.delete("favorites", "socks"))
            return Outbox.Confirmation()
        }
        let id = try await outbox.save(.setFavorite("boots", to: true))
        for _ in 0..<3 { try await outbox.sendAll() }
        try? await client.send(.put("favorites", "boots"))

        let puts = keys.all.filter { $0.hasPrefix("PUT") }
        let deletions = keys.all.filter { $0.hasPrefix("DELETE") }
        #expect(puts.count >= 3)
        #expect(Set(puts.dropLast()).count == 1)
        #expect(puts.first?.hasPrefix("PUT \(id)-") == true)
        #expect(puts.last == "PUT none")
        #expect(deletions.first?.dropFirst(7) != puts.first?.dropFirst(4))
        #expect(keys.all.filter { $0.hasPrefix("GET") }.allSatisfy { $0 == "GET none" })
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test(arguments: [
        (NetworkResponse(statusCode: 500), true), (.problem("{}", statusCode: 500), true),
        (NetworkResponse(statusCode: 503), true), (NetworkResponse(statusCode: 507), true),
        (.webPage(statusCode: 500), true), (NetworkResponse(statusCode: 502), false),
        (NetworkResponse(statusCode: 504), false), (NetworkResponse(statusCode: 409), false),
        (NetworkResponse(statusCode: 429), false), (NetworkResponse(statusCode: 401), false),
        (nil, false),
    ])
    func `a change has another key after a complete server error and after nothing else`(
        response: NetworkResponse?,
        isOther: Bool
    ) async throws {
        for edit in Outbox.Edit.samples {
            let keys = try await keys(of: edit, failures: [response, response])

            #expect(Set(keys).count == (isOther && !edit.isCreation ? 3 : 1), "\(keys)")
            #expect(!keys.contains("none") && keys.count == 3)
        }
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a lost response after a server error keeps the key of its attempt`() async throws {
        let failed = NetworkResponse(statusCode: 500)

        let keys = try await keys(
            of: .setFavorite("boots", to: true),
            failures: [failed, nil, nil]
        )

        #expect(keys.count == 4 && keys[0] != keys[1])
        #expect(Set(keys[1...]).count == 1)
    }

    // Rule: outbox/key-is-same-per-request (61); retry/idempotency-keys (11)
    @Test func `a client that adds random keys sends that of the change`() async throws {
        let keys = Lines()
        let networking = ClosureNetworking.closure { request in
            keys.add(request.value(forHTTPHeaderField: "Idempotency-Key") ?? "none")
            throw NetworkError(.connectionLost)
        }
        let retry = RetryBehavior(effects: ManualClock(skipsDelays: true).effects())
        let lists: @Sendable (NetworkClient) -> ListManager = { client in
            ListManager(addProduct: { _, _ in try await client.send(.post("rows")) })
        }
        let backend = ProductBackend(
            client: NetworkClient(
                baseURL: .api,
                networking: networking,
                behaviors: [IdempotencyKeyBehavior()]
            ),
            retry: retry,
            loader: { _ in .only() },
            listManager: lists
        )
        let service = ProductService(
            backend: backend,
            localUser: .shopper,
            user: .signedIn("anna"),
            outbox: .controlled()
        )

        try? await service.listManager.addProduct(withID: "boots", toListWithID: "a")
        _ = try await service.outbox?.sendAll()

        #expect(keys.all.count == 6 && Set(keys.all).count == 1)
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a response that is lost before a retry keeps the key`() async throws {
        let keys = Lines()
        let failures = Mutex([0, 503, 503, 204])
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                keys.add(request.value(forHTTPHeaderField: "Idempotency-Key") ?? "none")
                let statusCode = failures.withLock { $0.removeFirst() }
                guard statusCode > 0 else { throw NetworkError(.connectionLost) }
                return NetworkResponse(statusCode: statusCode)
            },
            behaviors: [
                IdempotencyKeyBehavior(),
                RetryBehavior(effects: ManualClock(skipsDelays: true).effects()),
            ]
        )
        let outbox = Outbox.controlled().start { _ in
            try await client.send(.post("changes"))
            return Outbox.Confirmation()
        }
        try await outbox.save(.setFavorite("boots", to: true))
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(keys.all.count == 4 && Set(keys.all).count == 1)
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a server error to a read before the write keeps the key`() async throws {
        let keys = Lines()
        let statusCodes = Mutex([200, 0, 500, 200, 204])
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                if request.httpMethod == "POST" {
                    keys.add(request.value(forHTTPHeaderField: "Idempotency-Key") ?? "none")
                }
                let statusCode = statusCodes.withLock { $0.removeFirst() }
                guard statusCode > 0 else { throw NetworkError(.connectionLost) }
                return NetworkResponse(statusCode: statusCode)
            }
        )
        let outbox = Outbox.controlled().start { _ in
            _ = try await client.send(NetworkRequest<NetworkResponse>.get("state"))
            try await client.send(.post("changes"))
            return Outbox.Confirmation()
        }
        try await outbox.save(.setFavorite("boots", to: true))
        for _ in 0..<3 { _ = try await outbox.sendAll() }

        #expect(keys.all.count == 2 && Set(keys.all).count == 1)
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a server that repeats its response to a known key does not hold up a change`()
        async throws
    {
        let responses = Mutex<[String: Int]>([:])
        let client = client { key in
            responses.withLock { responses in
                let statusCode = responses[key] ?? (responses.isEmpty ? 500 : 204)
                responses[key] = statusCode
                return NetworkResponse(statusCode: statusCode)
            }
        }
        let outbox = Outbox.controlled().start { _ in
            try await client.send(.put("favorites", "boots"))
            return Outbox.Confirmation()
        }
        try await outbox.save(.setFavorite("boots", to: true))

        // The first attempt may have ended before the first call.
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(outbox.changes.isEmpty)
        #expect(responses.withLock { $0.values.sorted() } == [204, 500])
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a request that a behavior changes keeps its key`() async throws {
        let keys = Lines()
        let numbers = Counter()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                keys.add(request.value(forHTTPHeaderField: "Idempotency-Key") ?? "none")
                return NetworkResponse(statusCode: keys.all.count < 2 ? 502 : 204)
            },
            behaviors: [
                ClosureBehavior(modify: { request in
                    let number = numbers.next()
                    request.url.append(queryItems: [URLQueryItem(name: "n", value: "\(number)")])
                    request.body = Data("\(number)".utf8)
                    request.headers["Content-Type"] = "text/plain"
                })
            ]
        )
        let outbox = Outbox.controlled().start { _ in
            try await client.send(.post("changes"))
            return Outbox.Confirmation()
        }
        try await outbox.save(.setFavorite("boots", to: true))
        for _ in 0..<2 { _ = try await outbox.sendAll() }

        #expect(keys.all.count == 2 && Set(keys.all).count == 1 && !keys.all.contains("none"))
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a request of a behavior does not have the key of the change`() async throws {
        let lines = Lines()
        let networking = ClosureNetworking.closure { request in
            let key = request.value(forHTTPHeaderField: "Idempotency-Key")
            lines.add("\(request.url?.lastPathComponent ?? "") \(key == nil ? "no key" : "key")")
            return .json(#"{"token": "new"}"#)
        }
        let identity = NetworkClient(baseURL: .api, networking: networking)
        let tokens = TokenBehavior(
            effects: ManualClock().effects(),
            token: {
                try await identity.send(NetworkRequest<[String: String]>.post("tokens"))["token"]
                    .map { AccessToken($0) }
            },
            refresh: nil
        )
        let client = NetworkClient(baseURL: .api, networking: networking, behaviors: [tokens])
        let outbox = Outbox.controlled().start { _ in
            try await client.send(.post("changes"))
            return Outbox.Confirmation()
        }

        _ = try await outbox.perform(.setFavorite("boots", to: true))

        #expect(lines.all == ["tokens no key", "changes key"])
    }

    // Rule: outbox/key-is-same-per-request (61); cache/policy-reaches-every-behavior (59)
    @Test func `a closure of an outbox sends its requests with their own policies`() async throws {
        let policies = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json("{}") },
            behaviors: [
                ClosureBehavior(modify: { request in
                    policies.add("\(request.policy) \(request.changeKey == nil)")
                })
            ]
        )
        let outbox = Outbox.controlled().start { _ in
            let read = NetworkRequest<NetworkResponse>.get("state")
            _ = try await client.send(read.fetching(.cacheFirst))
            _ = try await client.send(read)
            let loader = ProductLoader(load: { _ in
                try await client.send(read.map { _, _ in .boots })
            })
            _ = try await loader.loadProduct(withID: "walking-boots")
            try await client.send(.put("state"))
            return Outbox.Confirmation()
        }

        _ = try await outbox.perform(.setFavorite("boots", to: true))

        #expect(
            policies.all == [
                "cacheFirst true", "standard true", "revalidate true", "standard false",
            ]
        )
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `the hooks of a behavior do not belong to the change`() async throws {
        let lines = Lines()
        let networking = ClosureNetworking.closure { request in
            let key = request.value(forHTTPHeaderField: "Idempotency-Key")
            lines.add("\(request.url?.lastPathComponent ?? "") \(key == nil ? "no key" : "key")")
            return NetworkResponse(statusCode: 204)
        }
        let plain = NetworkClient(baseURL: .api, networking: networking)
        let tasks = Mutex<[Task<Void, any Error>]>([])
        @Sendable func report() {
            tasks.withLock { $0.append(Task { try await plain.send(.post("reports")) }) }
        }
        let client = NetworkClient(
            baseURL: .api,
            networking: networking,
            behaviors: [ClosureBehavior(beforeSend: report, afterSuccess: { _ in report() })]
        )
        let outbox = Outbox.controlled().start { _ in
            try await client.send(.post("changes"))
            for task in tasks.withLock(\.self) { try await task.value }
            return Outbox.Confirmation()
        }

        _ = try await outbox.perform(.setFavorite("boots", to: true))

        #expect(lines.all.sorted() == ["changes key", "reports no key", "reports no key"])
    }

    // Rule: retry/added-key-repeats-nothing (16)
    @Test func `the key of a change lets no client retry, unless the server recognizes keys`()
        async throws
    {
        for recognizesKeys in [false, true] {
            let keys = Lines()
            let retry = RetryBehavior(effects: ManualClock(skipsDelays: true).effects())
            let client = NetworkClient(
                baseURL: .api,
                networking: .closure { request in
                    keys.add(request.value(forHTTPHeaderField: "Idempotency-Key") ?? "none")
                    throw NetworkError(.connectionLost)
                },
                behaviors: recognizesKeys ? [IdempotencyKeyBehavior(), retry] : [retry]
            )
            let outbox = Outbox.controlled().start { _ in
                try await client.send(.post("changes"))
                return Outbox.Confirmation()
            }

            #expect(try await outbox.perform(.setFavorite("boots", to: true)) == .saved)

            #expect(keys.all.count == (recognizesKeys ? 3 : 1))
            #expect(Set(keys.all).count == 1 && !keys.all.contains("none"))
        }
    }

    /// Returns the keys of the attempts to send an edit; `nil` is a lost response.
    private func keys(of edit: Outbox.Edit, failures: [NetworkResponse?]) async throws -> [String] {
        let keys = Lines()
        let left = Mutex(failures)
        let client = client { key in
            keys.add(key)
            let success = NetworkResponse(statusCode: 204)
            let response = left.withLock { $0.isEmpty ? success : $0.removeFirst() }
            guard let response else { throw NetworkError(.connectionLost) }
            return response
        }
        let outbox = Outbox.controlled().start { _ in
            try await client.send(.post("changes"))
            return Outbox.Confirmation()
        }
        try await outbox.save(edit)
        for _ in failures {
            _ = try await outbox.sendAll()
            outbox.resume()
        }
        _ = try await outbox.sendAll()
        return keys.all
    }

    private func client(
        respond: @escaping @Sendable (_ key: String) throws -> NetworkResponse
    ) -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                try respond(request.value(forHTTPHeaderField: "Idempotency-Key") ?? "none")
            }
        )
    }
}

extension Outbox.Edit {
    fileprivate static let samples: [Outbox.Edit] = [
        .setFavorite("boots", to: true), .addProduct("boots", toList: "a"),
        .removeProduct("boots", fromList: "a"), .createList("a", name: "A"),
        .renameList("a", name: "B"), .deleteList("a"),
    ]

    fileprivate var isCreation: Bool {
        if case .createList = self { true } else { false }
    }
}
