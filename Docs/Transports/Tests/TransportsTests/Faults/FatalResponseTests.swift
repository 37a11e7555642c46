#if canImport(Glibc) && !THREAD_SANITIZER
import FaultServer
import Testing

/// Responses that end the process inside of `URLSession` on Linux, with or without ProductKit.
///
/// Each of them is sent in a process of its own. With `URLSessionTransport` its end is a known issue. If an
/// issue is no longer reported with a new toolchain, remove it from the article “Transports”.
@Suite(.timeLimit(.minutes(5))) struct FatalResponseTests {
    @Test(arguments: TransportUnderTest.allCases, FatalResponse.allCases)
    func `a response that ends the process with URLSession is a response or an error`(
        transport: TransportUnderTest,
        response: FatalResponse
    ) async throws {
        guard transport.has(.endsProcess) else {
            await #expect(processExitsWith: .success) { [transport, response] in
                try await response.check(transport)
            }
            return
        }
        await withKnownIssue(isIntermittent: true) {
            await #expect(processExitsWith: .success) { [transport, response] in
                try await response.check(transport)
            }
        }
    }
}
#endif
