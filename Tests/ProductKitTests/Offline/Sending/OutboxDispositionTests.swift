import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

    @Test(arguments: [NetworkError.Code.unreadable, .tooLarge, .incomplete])
    func `a successful response that cannot be read confirms the change`(code: NetworkError.Code) {
        let error = NetworkError(code, response: NetworkResponse(statusCode: 200))

        #expect(Outbox.Disposition(error) == .confirmed)
    }

    @Test(
        arguments: [
            ProductError.notFound("boots"), ListError.notFound("winter"), UnsupportedOperation("x"),
            ReservedListName("Favorites"), InvalidIdentifier("x"),
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
