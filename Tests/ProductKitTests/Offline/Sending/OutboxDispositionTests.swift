import Foundation
import ProductKit
import Testing

// Rule: outbox/failure-decides-disposition (19)
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxDispositionTests {
    @Test(
        arguments: [
            (400, .rejected), (401, .waitForSignIn), (403, .rejected), (404, .rejected),
            (405, .rejected), (408, .retryAllLater()), (409, .conflict), (410, .rejected),
            (412, .rejected), (422, .rejected), (425, .retryAllLater()), (429, .retryAllLater()),
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
            (.unreachable, .retryAllLater()), (.connectionLost, .retryAllLater()),
            (.incomplete, .retryAllLater()), (.timedOut, .retryAllLater()),
            (.untrusted, .retryAllLater()), (.invalidRequest, .rejected), (.insecure, .rejected),
            (.unreadable, .retryLater), (.tooLarge, .retryLater), (.redirect, .retryLater),
            (.notCached, .retryLater), (.unauthorized, .waitForSignIn),
        ] as [(NetworkError.Code, Outbox.Disposition)]
    )
    func `the code of an error without a response decides`(
        code: NetworkError.Code,
        expected: Outbox.Disposition
    ) {
        #expect(Outbox.Disposition(NetworkError(code)) == expected)
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
    func `the code of a failure in a successful response decides`(
        code: NetworkError.Code,
        expected: Outbox.Disposition
    ) {
        for statusCode in [200, 201, 202, 204, 299] {
            let response = NetworkResponse(statusCode: statusCode)
            #expect(Outbox.Disposition(NetworkError(code, response: response)) == expected)
        }
    }

    // Rule: outbox/server-delay-is-kept (40)
    @Test(arguments: [("120", 120), ("1.5", 2), (nil, nil)])
    func `a throttling in a successful response may require a delay`(field: String?, seconds: Int?)
    {
        var response = NetworkResponse()
        response.headers["Retry-After"] = field

        let disposition = Outbox.Disposition(NetworkError(.throttled, response: response))

        #expect(disposition == .retryAllLater(after: seconds.map { .seconds($0) }))
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

    @Test(
        arguments: [
            (.unreadable, .retryLater), (.tooLarge, .retryLater), (.incomplete, .retryAllLater()),
        ] as [(NetworkError.Code, Outbox.Disposition)]
    )
    func `a response to a read that cannot be read confirms nothing`(
        code: NetworkError.Code,
        expected: Outbox.Disposition
    ) {
        for method in ["GET", "HEAD"] {
            let request = OutgoingRequest(method)
            let error = NetworkError(code, request: request, response: NetworkResponse())
            #expect(Outbox.Disposition(error) == expected)
        }
    }

    @Test(arguments: [300, 400, 404, 500, 503])
    func `an unsuccessful response that cannot be read confirms nothing`(statusCode: Int) {
        for code in [NetworkError.Code.unreadable, .tooLarge, .incomplete] {
            let error = NetworkError(code, response: NetworkResponse(statusCode: statusCode))
            #expect(Outbox.Disposition(error) != .confirmed)
        }
    }

    @Test(arguments: [NetworkError.Code.unreadable, .tooLarge, .incomplete])
    func `a successful response that cannot be read confirms the change`(code: NetworkError.Code) {
        let error = NetworkError(code, response: NetworkResponse(statusCode: 200))

        #expect(Outbox.Disposition(error) == .confirmed)
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

    @Test(
        arguments: [
            ProductError.notFound("boots"), ListError.notFound("winter"), UnsupportedOperation("x"),
            ListError.reservedName("Favorites"), InvalidIdentifier("x"),
        ] as [any Error]
    )
    func `errors of the shop reject the change`(error: any Error) {
        #expect(Outbox.Disposition(error) == .rejected)
    }

    @Test func `other errors delay the change`() {
        #expect(Outbox.Disposition(CancellationError()) == .retryLater)
        #expect(Outbox.Disposition(POSIXError(.EIO)) == .retryLater)
        #expect(Outbox.Disposition(URLError(.notConnectedToInternet)) == .retryAllLater())
        #expect(Outbox.Disposition(TokenError.sessionEnded) == .waitForSignIn)
        #expect(Outbox.Disposition(TokenError.refreshTimedOut) == .retryAllLater())
    }

    // Rule: outbox/server-delay-is-kept (40)
    @Test(arguments: [429, 503])
    func `the delay that the server requires is read from Retry-After`(statusCode: Int) {
        let now = Date(timeIntervalSince1970: 784_111_777)
        for field in ["120", "Sun, 06 Nov 1994 08:51:37 GMT"] {
            let response = NetworkResponse(
                statusCode: statusCode,
                headers: ["Retry-After": field]
            )
            let disposition = Outbox.Disposition(NetworkError(response), now: now)
            #expect(disposition == .retryAllLater(after: .seconds(120)))
        }
    }
}
