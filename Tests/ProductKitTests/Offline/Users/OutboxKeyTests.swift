import Foundation
import ProductKit
import Synchronization
import Testing

/// The idempotency keys of the requests that an outbox sends.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxKeyTests {
    private let edit = Outbox.Edit.setFavorite("boots", to: true)
    private let retry = RetryBehavior(effects: ManualClock(skipsDelays: true).effects())

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `each request of a change has one key, the same in each attempt`() async throws {
        let server = Shop.returning(Array(repeating: NetworkResponse(statusCode: 502), count: 4))
        let outbox = server.outbox { client in
            _ = try? await client.send(NetworkRequest<Product>.get("products", "boots"))
            try await client.send(.put("favorites", "boots"))
            try await client.send(.delete("favorites", "socks"))
        }
        let id = try await outbox.save(edit)
        for _ in 0..<3 { try await outbox.sendAll() }
        try await server.client().send(.put("favorites", "boots"))

        let (puts, deletions) = (
            server.keys(of: "PUT favorites/boots"), server.keys(of: "DELETE favorites/socks")
        )
        #expect(puts.count >= 3 && Set(puts.dropLast()).count == 1)
        #expect(puts.first?.hasPrefix("\(id)-") == true && puts.last == "none")
        #expect(deletions.count == 1 && deletions.first != puts.first)
        #expect(Set(server.keys(of: "GET products/boots")) == ["none"])
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
        for edit in Outbox.Edit.ofEachKind {
            let keys = try await keys(of: edit, failures: [response, response])

            let isCreation = edit == .createList("c", name: "C")
            #expect(Set(keys).count == (isOther && !isCreation ? 3 : 1), "\(keys)")
            #expect(!keys.contains("none") && keys.count == 3)
        }
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a lost response after a server error keeps the key of its attempt`() async throws {
        let keys = try await keys(of: edit, failures: [NetworkResponse(statusCode: 500), nil, nil])

        #expect(keys.count == 4 && keys[0] != keys[1])
        #expect(Set(keys[1...]).count == 1)
    }

    /// Returns the keys of the attempts to send an edit; `nil` is a lost response.
    private func keys(of edit: Outbox.Edit, failures: [NetworkResponse?]) async throws -> [String] {
        let server = Shop.returning(failures)
        let outbox = server.outbox()
        try await outbox.save(edit)
        for _ in failures {
            try await outbox.sendAll()
            outbox.resume()
        }
        try await outbox.sendAll()
        return server.keys
    }

    // Rule: outbox/key-is-same-per-request (61); retry/idempotency-keys (11)
    @Test func `a client that adds random keys sends that of the change`() async throws {
        let server = Shop.returning(Array(repeating: nil, count: 6))
        let backend = ProductBackend(
            client: server.client([IdempotencyKeyBehavior()]),
            retry: retry,
            loader: { _ in .only() },
            listManager: { client in
                ListManager(addProduct: { _, _ in try await client.send(.post("rows")) })
            }
        )
        let service = ProductService(
            backend: backend,
            localUser: .shopper,
            user: .signedIn("anna"),
            outbox: .controlled()
        )

        try? await service.listManager.addProduct(withID: "boots", toListWithID: "a")
        _ = try await service.outbox?.sendAll()

        #expect(server.keys.count == 6 && Set(server.keys).count == 1)
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a response that is lost before a retry keeps the key`() async throws {
        let unavailable = NetworkResponse(statusCode: 503)
        let server = Shop.returning([nil, unavailable, unavailable])

        try await server.outbox([IdempotencyKeyBehavior(), retry]).saveAndSend(edit, times: 2)

        #expect(server.keys.count == 4 && Set(server.keys).count == 1)
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a server error to a read before the write keeps the key`() async throws {
        let server = Shop.returning([NetworkResponse(), nil, NetworkResponse(statusCode: 500)])
        let outbox = server.outbox { client in
            _ = try await client.send(NetworkRequest<NetworkResponse>.get("state"))
            try await client.send(.post("changes"))
        }

        try await outbox.saveAndSend(edit, times: 3)

        let keys = server.keys(of: "POST changes")
        #expect(keys.count == 2 && Set(keys).count == 1)
    }

    // Rule: outbox/key-is-same-per-request (61); errors/other-request-refuses-nothing (15)
    @Test func `a server error to the request of a token keeps the key`() async throws {
        let (server, tokens) = (Shop.returning([nil]), Counter())
        let signing = TokenBehavior(
            effects: .stopped,
            token: {
                guard tokens.next() != 2 else {
                    throw NetworkError(NetworkResponse(statusCode: 503))
                }
                return nil
            },
            refresh: nil
        )

        try await server.outbox([signing]).saveAndSend(edit, times: 3)

        #expect(tokens.count == 3)
        #expect(server.keys.count == 2 && Set(server.keys).count == 1)
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a request that a behavior changes keeps its key`() async throws {
        let (server, numbers) = (Shop.returning([NetworkResponse(statusCode: 502)]), Counter())
        let behavior = ClosureBehavior(modify: { request in
            let number = numbers.next()
            request.url.append(queryItems: [URLQueryItem(name: "n", value: "\(number)")])
            request.body = Data("\(number)".utf8)
            request.headers["Content-Type"] = "text/plain"
        })

        try await server.outbox([behavior]).saveAndSend(edit, times: 2)

        #expect(server.keys.count == 2 && Set(server.keys).count == 1)
        #expect(!server.keys.contains("none"))
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `a request of a behavior does not have the key of the change`() async throws {
        let server = Shop.returning([.json(#"{"token": "new"}"#)])
        let tokens = TokenBehavior(
            effects: ManualClock().effects(),
            token: {
                let request = NetworkRequest<[String: String]>.post("tokens")
                return try await server.client().send(request)["token"].map { AccessToken($0) }
            },
            refresh: nil
        )

        _ = try await server.outbox([tokens]).perform(edit)

        #expect(server.keys.count == 2 && server.keys(of: "POST tokens") == ["none"])
        #expect(!server.keys(of: "POST changes").contains("none"))
    }

    // Rule: outbox/key-is-same-per-request (61)
    @Test func `the hooks of a behavior do not belong to the change`() async throws {
        let server = Shop.returning()
        let tasks = Mutex<[Task<Void, any Error>]>([])
        @Sendable func report() {
            tasks.withLock { tasks in
                tasks.append(Task { try await server.client().send(.post("reports")) })
            }
        }
        let hooks = ClosureBehavior(beforeSend: report, afterSuccess: { _ in report() })
        let outbox = server.outbox([hooks]) { client in
            try await client.send(.post("changes"))
            for task in tasks.withLock(\.self) { try await task.value }
        }

        _ = try await outbox.perform(edit)

        #expect(server.keys.count == 3 && server.keys(of: "POST reports") == ["none", "none"])
        #expect(!server.keys(of: "POST changes").contains("none"))
    }

    // Rule: outbox/key-is-same-per-request (61); cache/policy-reaches-every-behavior (59)
    @Test func `a closure of an outbox sends its requests with their own policies`() async throws {
        let policies = Lines()
        let behavior = ClosureBehavior(modify: { request in
            policies.add("\(request.policy) \(request.changeKey == nil)")
        })
        let outbox = Shop.returning().outbox([behavior]) { client in
            let read = NetworkRequest<NetworkResponse>.get("state")
            _ = try await client.send(read.fetching(.cacheFirst))
            _ = try await client.send(read)
            let loader = ProductLoader(load: { _ in
                try await client.send(read.map { _, _ in .boots })
            })
            _ = try await loader.loadProduct(withID: "walking-boots")
            try await client.send(.put("state"))
        }

        _ = try await outbox.perform(edit)

        #expect(
            policies.all == [
                "cacheFirst true", "standard true", "revalidate true", "standard false",
            ]
        )
    }

    // Rule: retry/added-key-repeats-nothing (16)
    @Test(arguments: [false, true])
    func `the key of a change lets no client retry, unless the server recognizes keys`(
        recognizesKeys: Bool
    ) async throws {
        let server = Shop.returning([nil, nil, nil])
        let outbox = server.outbox(recognizesKeys ? [IdempotencyKeyBehavior(), retry] : [retry])

        #expect(try await outbox.perform(edit) == .saved)

        #expect(server.keys.count == (recognizesKeys ? 3 : 1))
        #expect(Set(server.keys).count == 1 && !server.keys.contains("none"))
    }
}

extension Shop {
    /// Creates a shop with its first responses, of which `nil` is lost; later requests succeed.
    fileprivate static func returning(_ responses: [NetworkResponse?] = []) -> Shop {
        let (shop, responses) = (Shop(), Observed(wrappedValue: responses))
        shop.respond = { _, _ in
            let success = NetworkResponse(statusCode: 204)
            let response = responses.change { $0.isEmpty ? success : $0.removeFirst() }
            guard let response else { throw NetworkError(.connectionLost) }
            return response
        }
        return shop
    }

    /// The keys of all requests, in the order of arrival; `none` without a key.
    fileprivate var keys: [String] {
        received.map { $0.value(forHTTPHeaderField: "Idempotency-Key") ?? "none" }
    }

    /// The keys of the requests with a method and a path, such as `PUT favorites/boots`.
    fileprivate func keys(of request: String) -> [String] {
        zip(requests, keys).filter { $0.0 == request }.map(\.1)
    }

    fileprivate func client(_ behaviors: [any RequestBehavior] = []) -> NetworkClient {
        NetworkClient(baseURL: .api, networking: networking, behaviors: behaviors)
    }

    /// Starts an outbox that sends each change with a client of this shop.
    fileprivate func outbox(
        _ behaviors: [any RequestBehavior] = [],
        send: @escaping @Sendable (NetworkClient) async throws -> Void = { client in
            try await client.send(.post("changes"))
        }
    ) -> Outbox.Session {
        let client = client(behaviors)
        return Outbox.controlled().start { _ in
            try await send(client)
            return Outbox.Confirmation()
        }
    }
}
