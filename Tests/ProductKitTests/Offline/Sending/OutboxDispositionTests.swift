import Foundation
import ProductKit
import Testing

// Rule: outbox/failure-decides-disposition (19)
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxDispositionTests {
    @Test(
        arguments: [
            (400, .rejected), (401, .waitForSignIn), (403, .rejected), (404, .rejected),
            (405, .rejected), (408, .retryAllLater()), (409, .conflict), (410, .rejected),
            (412, .rejected), (422, .rejected), (425, .retryAllLater()),
            (421, .retryAllLater()), (429, .retryAllLater()),
            (500, .retryLater), (501, .rejected), (502, .retryAllLater()), (503, .retryAllLater()),
            (504, .retryAllLater()), (505, .rejected), (302, .retryLater),
        ] as [(Int, Outbox.Disposition)]
    )
    func `the status code of a response decides`(statusCode: Int, expected: Outbox.Disposition) {
        let error = NetworkError(NetworkResponse(statusCode: statusCode))

        #expect(Outbox.Disposition(error) == expected)
    }

    @Test(
        arguments: [
            (.throttled, .retryAllLater()), (.rejected, .rejected), (.forbidden, .rejected),
            (.notFound, .rejected), (.conflict, .conflict), (.unauthorized, .waitForSignIn),
            (.unavailable, .retryLater), (.unexpected, .retryLater), (.invalidRequest, .rejected),
            (.insecure, .rejected), (.redirect, .retryLater), (.notCached, .retryLater),
            (.unreachable, .retryAllLater()), (.connectionLost, .retryAllLater()),
            (.timedOut, .retryAllLater()), (.untrusted, .retryAllLater()),
        ] as [(NetworkError.Code, Outbox.Disposition)]
    )
    func `the code of a failure without a response or in a successful one decides`(
        code: NetworkError.Code,
        expected: Outbox.Disposition
    ) {
        #expect(Outbox.Disposition(NetworkError(code)) == expected)
        for statusCode in [200, 201, 202, 204, 299] {
            let response = NetworkResponse(statusCode: statusCode)
            #expect(Outbox.Disposition(NetworkError(code, response: response)) == expected)
        }
    }

    @Test(
        arguments: [
            (.unreadable, .retryLater), (.tooLarge, .retryLater), (.incomplete, .retryAllLater()),
        ] as [(NetworkError.Code, Outbox.Disposition)]
    )
    func `a response that cannot be read confirms the change only if it is a success of a write`(
        code: NetworkError.Code,
        otherwise: Outbox.Disposition
    ) {
        #expect(Outbox.Disposition(NetworkError(code)) == otherwise)
        for (statusCode, isConfirmed) in [
            (200, true), (299, true), (300, false), (400, false), (404, false), (500, false),
            (503, false),
        ] {
            let error = NetworkError(code, response: NetworkResponse(statusCode: statusCode))
            #expect(Outbox.Disposition(error) == (isConfirmed ? .confirmed : otherwise))
        }
        for method in ["GET", "HEAD"] {
            let request = OutgoingRequest(method)
            let error = NetworkError(code, request: request, response: NetworkResponse())
            #expect(Outbox.Disposition(error) == otherwise)
        }
    }

    @Test func `a successful response without the expected output confirms the change`()
        async throws
    {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in .json(#"{"data": {"product": null}}"#) }
        )
        for (method, expected) in [("POST", Outbox.Disposition.confirmed), ("GET", .rejected)] {
            let request = NetworkRequest<Product?>(
                method: method,
                segments: ["graphql"],
                decode: { response in try response.json(at: "data.product") }
            )
            let error = await #expect(throws: NetworkError.self) {
                try await client.send(request.unwrapped())
            }
            #expect(error.map { Outbox.Disposition($0) } == expected)
        }
    }

    @Test(arguments: [NetworkError.Code.incomplete, .tooLarge, .unreadable])
    func `a part of a response that may report a failure confirms nothing`(
        code: NetworkError.Code
    ) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in throw NetworkError(code, response: NetworkResponse()) }
        )
        let request = NetworkRequest<Void>.post("graphql")
        let failing = request.failing(at: "errors", message: "message", codes: [:])

        for (request, isConfirmed) in [(request, true), (failing, false)] {
            let error = await #expect(throws: NetworkError.self) { try await client.send(request) }
            #expect((error.map { Outbox.Disposition($0) } == .confirmed) == isConfirmed)
        }
    }

    @Test(arguments: [NetworkError.Code.incomplete, .tooLarge, .unreadable])
    func `a part of a response whose status code may mean another one confirms nothing`(
        code: NetworkError.Code
    ) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in throw NetworkError(code, response: NetworkResponse()) },
            statusCode: { _ in nil }
        )

        let error = await client.error(of: NetworkRequest<Void>.put("favorites", "boots"))

        #expect(error?.code == code && error.map { Outbox.Disposition($0) } != .confirmed)
    }

    @Test(arguments: [NetworkError.Code.incomplete, .tooLarge, .unreadable])
    func `a response that a client of a transport cannot read confirms nothing`(
        code: NetworkError.Code
    ) async throws {
        let transport = NetworkClient { _ in throw NetworkError(code, response: NetworkResponse()) }
        func client(sending request: NetworkRequest<Void>) -> NetworkClient {
            NetworkClient { _ in
                try await transport.send(request)
                return NetworkResponse()
            }
        }

        // The transport sends the request, or one of its own before.
        let (read, write) = (
            NetworkRequest<Void>.delete("x").reading(), NetworkRequest<Void>.post("x")
        )
        for (request, inner) in [(write, write), (write.reading(), write), (write, read)] {
            let error = await client(sending: inner).error(of: request)
            #expect(error.map { Outbox.Disposition($0) } == .retryLater)
        }
    }

    /// What the closure of an operation does before it cannot read a response.
    enum EarlierStep: CaseIterable {
        case nothing, refusedWrite, write, innerWrite, writeBeforeInnerRead, writeWithoutClient

        var confirms: Bool { self != .nothing && self != .refusedWrite }
    }

    @Test(arguments: EarlierStep.allCases)
    func `a response that a closure cannot read confirms only after a write`(
        step: EarlierStep
    ) async throws {
        let client = NetworkClient { request in
            let statusCode = step == .refusedWrite && request.httpMethod == "PUT" ? 404 : 200
            return .json(#"{"other": 1}"#, statusCode: statusCode)
        }
        let write = NetworkRequest<Void>.put("lists", "winter", "boots")
        let writing = ListManager(addProduct: { _, _ in try await client.send(write) })
        let reading = ListManager(
            addProduct: { _, _ in },
            list: { id in
                let list = try await client.send(NetworkRequest<NetworkResponse>.get("lists", id))
                return ProductList(id: id, name: try list.json(String.self, at: "name"))
            }
        )
        let lists = ListManager(addProduct: { product, list in
            switch step {
            case .nothing: break
            case .refusedWrite: try? await client.send(write)
            case .write: try await client.send(write)
            case .innerWrite: try await writing.addProduct(withID: product, toListWithID: list)
            case .writeBeforeInnerRead:
                try await client.send(write)
                _ = try await reading.list(withID: list)
            case .writeWithoutClient: throw NetworkError(.unreadable, response: NetworkResponse())
            }
            let state = try await client.send(NetworkRequest<NetworkResponse>.get("state"))
            _ = try state.json(String.self, at: "nonce")
        })

        let error = await #expect(throws: NetworkError.self) {
            try await lists.addProduct(withID: "boots", toListWithID: "winter")
        }

        #expect(error?.code == .unreadable)
        #expect((error.map { Outbox.Disposition($0) } == .confirmed) == step.confirms)
    }

    // Rule: outbox/repeated-attempt-reads-state (101)
    @Test(arguments: [204, 404], [nil, 403, 404, 422, 503])
    func `a closure that fails after a write may have changed something`(
        write: Int,
        read: Int?
    ) async throws {
        let client = NetworkClient { request in
            guard request.httpMethod == "GET" else { return NetworkResponse(statusCode: write) }
            guard let read else { throw NetworkError(.unreachable) }
            return NetworkResponse(statusCode: read)
        }
        let loader = ProductLoader(
            load: { id in Product(id: id, name: "Boots") },
            setFavorite: { id, _ in
                try? await client.send(.put("likes", id))
                return try await client.send(.get("goods", id))
            }
        )

        let error = await #expect(throws: NetworkError.self) {
            _ = try await loader.setFavoriteStatus(true, forProductWithID: "boots")
        }

        #expect(error?.mayHaveReachedServer == (write == 204 || read == 503))
    }

    @Test func `a response that the closure of an outbox cannot read confirms nothing`()
        async throws
    {
        let client = NetworkClient { _ in .json(#"{"other": 1}"#) }
        let outbox = Outbox.controlled().start { _ in
            let state = try await client.send(NetworkRequest<NetworkResponse>.get("state"))
            _ = try state.json(String.self, at: "nonce")
            return Outbox.Confirmation()
        }

        try await outbox.saveAndSend(.setFavorite("boots", to: true))

        #expect(outbox.changes.count == 1)
    }

    @Test func `a web page in place of a response confirms nothing`() async {
        let client = NetworkClient { _ in .webPage(statusCode: 200) }

        let errors = [
            await client.error(of: NetworkRequest<Void>.put("favorites", "boots")),
            await client.error(of: NetworkRequest<Product>.put("favorites", "boots")),
        ]

        for error in errors {
            #expect(error?.code == .unreadable && error?.statusCode == 200)
            #expect(error.map { Outbox.Disposition($0) } == .retryLater)
        }
    }

    @Test(
        arguments: [
            (ProductError.notFound("boots"), .rejected), (ListError.notFound("winter"), .rejected),
            (ListError.reservedName("Favorites"), .rejected),
            (UnsupportedOperation("x"), .rejected), (InvalidIdentifier("x"), .rejected),
            (CancellationError(), .retryLater), (POSIXError(.EIO), .retryLater),
            (URLError(.notConnectedToInternet), .retryAllLater()),
            (TokenError.sessionEnded, .waitForSignIn),
            (TokenError.refreshTimedOut, .retryAllLater()),
        ] as [(any Error, Outbox.Disposition)]
    )
    func `errors of the shop reject the change, and others delay it`(
        error: any Error,
        expected: Outbox.Disposition
    ) {
        #expect(Outbox.Disposition(error) == expected)
    }

    // Rule: outbox/server-delay-is-kept (40)
    @Test(
        arguments: [200, 429, 503],
        [("120", 120), ("1.5", 2), ("Sun, 06 Nov 1994 08:51:37 GMT", 120), (nil, nil)]
            as [(String?, Int?)]
    )
    func `the delay that the server requires is read from Retry-After`(
        statusCode: Int,
        delay: (field: String?, seconds: Int?)
    ) {
        var response = NetworkResponse(statusCode: statusCode)
        response.headers["Retry-After"] = delay.field
        let error =
            statusCode == 200
            ? NetworkError(.throttled, response: response) : NetworkError(response)

        let disposition = Outbox.Disposition(error, now: Date(timeIntervalSince1970: 784_111_777))

        #expect(disposition == .retryAllLater(after: delay.seconds.map { .seconds($0) }))
    }

    // Rule: outbox/server-delay-is-kept (40)
    @Test(arguments: [-172_800.0, 0, 172_800])
    func `a required delay with a date does not depend on the clock`(offset: Double) {
        let headers: NetworkHeaders = [
            "Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
        ]
        let error = NetworkError(NetworkResponse(statusCode: 503, headers: headers))

        let now = Date(timeIntervalSince1970: 784_111_777 + offset)

        #expect(Outbox.Disposition(error, now: now) == .retryAllLater(after: .seconds(120)))
    }
}
