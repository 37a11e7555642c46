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
}
