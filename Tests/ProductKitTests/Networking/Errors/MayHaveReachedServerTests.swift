import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MayHaveReachedServerTests {
    @Test(
        arguments: [
            .invalidRequest, .insecure, .unreachable, .untrusted, .notCached, .unauthorized,
            .forbidden, .notFound, .conflict, .rejected, .throttled,
        ] as [NetworkError.Code]
    )
    func `a request that was not sent or that the server refused had no effect`(
        code: NetworkError.Code
    ) {
        #expect(!code.mayHaveReachedServer)
    }

    @Test(
        arguments: [
            .connectionLost, .incomplete, .timedOut, .redirect, .tooLarge, .unreadable,
            .unavailable, .unexpected,
        ] as [NetworkError.Code]
    )
    func `the outcome is unknown when no final response to the request was received`(
        code: NetworkError.Code
    ) {
        #expect(code.mayHaveReachedServer)
    }

    @Test(
        arguments: [
            (.rejected, 200, true), (.throttled, 200, true), (.conflict, 503, true),
            (.conflict, 409, false), (.rejected, 422, false), (.unavailable, 425, true),
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
}
