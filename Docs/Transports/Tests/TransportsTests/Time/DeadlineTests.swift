import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MeasuredTests {
    // Rule: security/deadline-ends-exchange (27)
    /// The deadline ends an exchange on time, whatever the server does.
    ///
    /// A test that measures time sends the same requests as the test above it.
    @Suite(.timeLimit(.minutes(5))) struct DeadlineTests {
        private static let slowResponses: [Fault] = [
            .hangsBeforeTheHead, .hangsInTheHead, .hangsInTheBody, .dripsTheHead, .dripsTheBody,
        ]

        @Test(arguments: TransportUnderTest.allCases, slowResponses)
        func `a slow or incomplete response is a timeout`(
            transport: TransportUnderTest,
            fault: Fault
        ) async throws {
            try await receive(fault, over: transport, expectTimeout)
        }

        @Test(.tags(.timing), .timed, arguments: TransportUnderTest.allCases, slowResponses)
        func `a slow or incomplete response is a timeout at the deadline`(
            transport: TransportUnderTest,
            fault: Fault
        ) async throws {
            try await receive(fault, over: transport, expectTimeoutAtDeadline)
        }

        private func receive(
            _ fault: Fault,
            over transport: TransportUnderTest,
            _ expect: Expectation
        ) async throws {
            for method in ["GET", "PUT"] {
                try await withFaultServer(fault) { server, url in
                    try await expect(.to(url, method), transport.make(deadline: deadline))
                    try await server.waitForClosedConnections(server.connectionCount)
                }
            }
        }

        #if canImport(Glibc) && !THREAD_SANITIZER
        @Test(arguments: TransportUnderTest.all(without: .stallsProcess))
        func `a slow name lookup is a timeout`(transport: TransportUnderTest) async throws {
            try await lookUpSlowName(over: transport, expectTimeout)
        }

        @Test(
            .tags(.timing),
            .timed,
            arguments: TransportUnderTest.all(without: .stallsProcess)
        )
        func `a slow name lookup is a timeout at the deadline`(
            transport: TransportUnderTest
        ) async throws {
            try await lookUpSlowName(over: transport, expectTimeoutAtDeadline)
        }

        private func lookUpSlowName(
            over transport: TransportUnderTest,
            _ expect: Expectation
        ) async throws {
            // CInterposition makes the lookup of this name slow.
            let url = try #require(URL(string: "https://slow.invalid/v1"))
            try await expect(.to(url), transport.make(deadline: deadline))
        }
        #endif

        @Test(arguments: TransportUnderTest.allCases, [0, 1])
        func `a shorter timeout of the request takes precedence over the deadline`(
            transport: TransportUnderTest,
            earlierRequests: Int
        ) async throws {
            try await send(after: earlierRequests, over: transport, expectTimeout)
        }

        @Test(.tags(.timing), .timed, arguments: TransportUnderTest.allCases, [0, 1])
        func `a shorter timeout of the request is met`(
            transport: TransportUnderTest,
            earlierRequests: Int
        ) async throws {
            try await send(after: earlierRequests, over: transport, expectTimeoutAtDeadline)
        }

        /// Sends a request with a short timeout after requests that have a long deadline.
        private func send(
            after earlierRequests: Int,
            over transport: TransportUnderTest,
            _ expect: Expectation
        ) async throws {
            try await withFaultServer(.hangsBeforeTheHead) { server, url in
                let networking = try transport.make(deadline: .seconds(600))
                let earlier = (0..<earlierRequests).map { _ in
                    Task { try await networking.response(for: .to(url)) }
                }
                try await server.waitForRequests(earlierRequests)
                var request = URLRequest.to(url)
                request.timeoutInterval = 0.3

                try await expect(request, networking)

                for task in earlier {
                    task.cancel()
                    await #expect(throws: CancellationError.self) { try await task.value }
                }
            }
        }

        @Test(arguments: TransportUnderTest.all(without: .hasDeadlinePerRedirect))
        func `redirects share one deadline`(transport: TransportUnderTest) async throws {
            try await followRedirects(over: transport, expectTimeout)
        }

        @Test(
            .tags(.timing),
            .timed,
            arguments: TransportUnderTest.all(without: .hasDeadlinePerRedirect)
        )
        func `redirects meet their shared deadline`(transport: TransportUnderTest) async throws {
            try await followRedirects(over: transport, expectTimeoutAtDeadline)
        }

        /// Follows redirects that are too many if each has the full deadline.
        private func followRedirects(
            over transport: TransportUnderTest,
            _ expect: Expectation
        ) async throws {
            try await withFaultServer({ request, connection in
                try await Task.sleep(for: .milliseconds(120))
                try await connection.respond(302, headers: ["Location: \(request.target)x"])
            }) { _, url in
                try await expect(.to(url), transport.make(deadline: deadline))
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `fifty concurrent requests time out`(transport: TransportUnderTest) async throws {
            _ = try await timeOutConcurrently(over: transport)
        }

        @Test(.tags(.timing), .timed, arguments: TransportUnderTest.allCases)
        func `fifty concurrent deadlines are all met`(transport: TransportUnderTest) async throws {
            #expect(try await timeOutConcurrently(over: transport) < .seconds(3))
        }

        /// Expects that fifty concurrent requests time out, and returns the time that they take.
        private func timeOutConcurrently(
            over transport: TransportUnderTest
        ) async throws -> Duration {
            try await withFaultServer(.hangsBeforeTheHead) { _, url in
                let networking = try transport.make(deadline: deadline)
                let start = ContinuousClock.now

                let codes = await withTaskGroup(of: NetworkError.Code?.self) { group in
                    for _ in 1...50 {
                        group.addTask {
                            await #expect(throws: NetworkError.self) {
                                try await networking.response(for: .to(url))
                            }?.code
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }

                #expect(codes == Array(repeating: .timedOut, count: 50))
                return start.duration(to: .now)
            }
        }

        private typealias Expectation = (URLRequest, any Networking) async throws -> Void

        private let deadline = Duration.milliseconds(300)

        /// Expects that a request times out, without waiting longer than a minute.
        private func expectTimeout(of request: URLRequest, over networking: any Networking) async {
            let error = await #expect(throws: NetworkError.self) {
                try await Timeout.run(.seconds(60)) { try await networking.response(for: request) }
            }
            #expect(error?.code == .timedOut)
        }

        /// Expects that a request times out at the deadline in the best of several attempts.
        ///
        /// Other processes can delay an attempt. A timer that counts whole seconds, or restarts with
        /// each byte, would be late in every attempt.
        private func expectTimeoutAtDeadline(
            of request: URLRequest,
            over networking: any Networking
        ) async {
            var times: [Duration] = []
            for _ in 1...3 {
                let start = ContinuousClock.now
                await expectTimeout(of: request, over: networking)
                times.append(start.duration(to: .now))
            }
            #expect(times.allSatisfy { $0 >= deadline })
            #expect(times.min().map { $0 <= .milliseconds(450) } == true, "\(times)")
        }
    }
}
