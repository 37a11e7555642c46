import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct MayHaveReachedServerTests {
    @Test(
        arguments: [
            NetworkError.Code.invalidRequest, .insecure, .unreachable, .untrusted, .notCached,
            .unauthorized, .forbidden, .notFound, .conflict, .rejected, .throttled,
        ].map { ($0, false) }
            + [
                NetworkError.Code.connectionLost, .incomplete, .timedOut, .redirect, .tooLarge,
                .unreadable, .unavailable, .unexpected,
            ].map { ($0, true) }
    )
    func `the outcome is unknown unless the request was not sent, or refused by the server`(
        code: NetworkError.Code,
        isUnknown: Bool
    ) {
        #expect(code.mayHaveReachedServer == isUnknown)
    }

    @Test(
        arguments: [
            (.rejected, 200, true), (.throttled, 200, true), (.conflict, 503, true),
            (.conflict, 409, false), (.rejected, 422, false), (.unavailable, 425, true),
            (.unavailable, 421, true),
        ] as [(NetworkError.Code, Int, Bool)]
    )
    func `the outcome is unknown when the status code is a success or a server error`(
        code: NetworkError.Code,
        statusCode: Int,
        isUnknown: Bool
    ) {
        let error = NetworkError(code, response: NetworkResponse(statusCode: statusCode))

        #expect(error.mayHaveReachedServer == isUnknown)
    }

    @Test(
        arguments: [
            ([(nil, .connectionLost), (nil, .unreachable)], true),
            ([(503, nil), (nil, .unreachable)], true),
            ([(nil, nil), (nil, .unreachable)], true),
            ([(nil, .unreachable), (nil, .unreachable)], false),
            ([(429, nil), (nil, .unreachable)], false),
        ] as [([(Int?, NetworkError.Code?)], Bool)]
    )
    func `one attempt that may have reached the server makes the outcome unknown`(
        attempts: [(statusCode: Int?, failure: NetworkError.Code?)],
        isUnknown: Bool
    ) {
        var response = NetworkResponse(statusCode: 404)
        response.attempts = attempts.map {
            NetworkAttempt(statusCode: $0.statusCode, failure: $0.failure)
        }

        #expect(NetworkError(response).mayHaveReachedServer == isUnknown)
    }

    @Test(
        arguments: [
            (URLError(.timedOut), true), (URLError(.cannotConnectToHost), false),
            (NSError(domain: NSURLErrorDomain, code: URLError.timedOut.rawValue), true),
            (NSError(domain: NSURLErrorDomain, code: URLError.cannotFindHost.rawValue), false),
            (NSError(domain: "com.example", code: URLError.cannotFindHost.rawValue), true),
            (NetworkError(.invalidRequest, underlying: NetworkError(.timedOut)), true),
            (NetworkError(.rejected, underlying: URLError(.networkConnectionLost)), true),
            (NetworkError(.unreachable, underlying: URLError(.cannotFindHost)), false),
            (DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")), true),
            (EncodingError.invalidValue(1, .init(codingPath: [], debugDescription: "")), false),
            (ProductError.notFound("1"), true), (ListError.notFound("1"), true),
            (ListError.reservedName("Favorites"), false),
            (NetworkError(.rejected, underlying: ListError.notFound("1")), false),
            (OutboxError(.full), false), (OutboxError(.inFlight), true),
            (UnsupportedOperation("search"), false),
            (UnimplementedAction("reload", file: "", line: 1), false),
            (CancellationError(), true), (CocoaError(.featureUnsupported), true),
            (Refusal(mayHaveReachedServer: true), true),
            (Refusal(mayHaveReachedServer: false), false),
        ] as [(any Error, Bool)]
    )
    func `an error that does not prove a refusal leaves the outcome unknown`(
        error: any Error,
        isUnknown: Bool
    ) {
        #expect(error.mayHaveReachedServer == isUnknown)
    }
}

private struct Refusal: RequestOutcomeError {
    let mayHaveReachedServer: Bool
}
