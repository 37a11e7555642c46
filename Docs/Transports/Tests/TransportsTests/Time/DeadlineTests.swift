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
    @Suite(.timeLimit(.minutes(2))) struct DeadlineTests {
        private let deadline = Duration.milliseconds(300)

        @Test(
            arguments: TransportUnderTest.allCases,
            [
                .hangsBeforeTheHead, .hangsInTheHead, .hangsInTheBody, .dripsTheHead, .dripsTheBody,
            ] as [Fault]
        )
        func `a slow or incomplete response is a timeout at the deadline`(
            transport: TransportUnderTest,
            fault: Fault
        ) async throws {
            for method in ["GET", "PUT"] {
                try await withFaultServer(fault) { server, url in
                    let networking = try transport.make(deadline: deadline)

                    let times = try await times(3, of: .to(url, method), over: networking)

                    #expect(times.allSatisfy { $0 >= deadline })
                    #expect(times.min().map { $0 <= .milliseconds(450) } == true, "\(times)")
                    try await server.waitForClosedConnections(server.connectionCount)
                }
            }
        }

        #if canImport(Glibc) && !THREAD_SANITIZER
        @Test(arguments: TransportUnderTest.all(without: .stallsProcess))
        func `a slow name lookup is a timeout at the deadline`(
            transport: TransportUnderTest
        ) async throws {
            // CInterposition makes the lookup of this name slow.
            let url = try #require(URL(string: "https://slow.invalid/v1"))
            let networking = try transport.make(deadline: deadline)

            let times = try await times(3, of: .to(url), over: networking)

            #expect(times.allSatisfy { $0 >= deadline })
            #expect(times.min().map { $0 <= .milliseconds(450) } == true, "\(times)")
        }
        #endif

        @Test(arguments: TransportUnderTest.allCases)
        func `a shorter timeout of the request takes precedence over the deadline`(
            transport: TransportUnderTest
        )
            async throws
        {
            try await withFaultServer(.hangsBeforeTheHead) { _, url in
                var request = URLRequest.to(url)
                request.timeoutInterval = 0.3

                let times = try await times(3, of: request, over: try transport.make())

                #expect(times.allSatisfy { $0 >= deadline })
                #expect(times.min().map { $0 <= .milliseconds(450) } == true, "\(times)")
            }
        }

        @Test(arguments: TransportUnderTest.all(without: .hasDeadlinePerRedirect))
        func `redirects share one deadline`(transport: TransportUnderTest) async throws {
            try await withFaultServer({ request, connection in
                try await Task.sleep(for: .milliseconds(120))
                try await connection.respond(302, headers: ["Location: \(request.target)x"])
            }) { _, url in
                let networking = try transport.make(deadline: deadline)

                let times = try await times(3, of: .to(url), over: networking)

                #expect(times.allSatisfy { $0 >= deadline })
                #expect(times.min().map { $0 <= .milliseconds(450) } == true, "\(times)")
            }
        }

        @Test(arguments: TransportUnderTest.allCases) func `fifty concurrent deadlines are all met`(
            transport: TransportUnderTest
        ) async throws {
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
                #expect(start.duration(to: .now) < .seconds(3))
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a shorter deadline does not wait for an earlier request`(
            transport: TransportUnderTest
        ) async throws {
            try await withFaultServer(.hangsBeforeTheHead) { _, url in
                let networking = try transport.make(deadline: .seconds(30))
                let earlier = Task { try await networking.response(for: .to(url)) }
                var request = URLRequest.to(url)
                request.timeoutInterval = 0.3

                let times = try await times(3, of: request, over: networking)

                #expect(times.min().map { $0 <= .milliseconds(450) } == true, "\(times)")
                earlier.cancel()
                _ = await earlier.result
            }
        }

        /// Measures how long each of several attempts takes to time out.
        ///
        /// The tests check the shortest time, because other processes can delay an attempt. A timer
        /// that counts whole seconds, or restarts with each byte, would be late in every attempt.
        private func times(
            _ count: Int,
            of request: URLRequest,
            over networking: any Networking
        ) async throws -> [Duration] {
            var times: [Duration] = []
            for _ in 1...count {
                let start = ContinuousClock.now
                let error = await #expect(throws: NetworkError.self) {
                    try await Timeout.run(.seconds(5)) {
                        try await networking.response(for: request)
                    }
                }
                times.append(start.duration(to: .now))
                #expect(error?.code == .timedOut)
            }
            return times
        }
    }
}
