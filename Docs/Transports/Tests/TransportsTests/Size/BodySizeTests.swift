import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MeasuredTests {
    // Rule: security/response-size-is-limited (26)
    /// The limits of a body's size and memory, compressed or not, and of the header fields.
    @Suite(.timeLimit(.minutes(5))) struct BodySizeTests {
        @Test(arguments: TransportUnderTest.allCases, [99, 100, 101])
        func `a body of exactly the maximum size is accepted, and a larger one is too large`(
            transport: TransportUnderTest,
            size: Int
        ) async throws {
            try await withFaultServer({ _, connection in
                try await connection.respond(body: Data(repeating: 32, count: size))
            }) { _, url in
                let networking = try transport.make(maximumBodySize: 100)
                let code = try await NetworkError.code {
                    try await networking.response(for: .to(url))
                }

                #expect(code == (size > 100 ? .tooLarge : nil))
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `the response to a HEAD request may announce any size`(
            transport: TransportUnderTest
        ) async throws {
            try await withFaultServer({ _, connection in
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
            }) { _, url in
                let response = try await transport.make().response(for: .to(url, "HEAD"))

                #expect(response.headers["Content-Length"] == "1000000000")
                #expect(response.body.isEmpty)
            }
        }

        @Test(
            arguments: TransportUnderTest.allCases,
            [(256, 1), (257, 1), (1_000, 1), (1_001, 1), (4, 80_000), (4, 90_000)]
        )
        func `a response with too many or too large header fields is too large`(
            transport: TransportUnderTest,
            fields: (count: Int, valueSize: Int)
        ) async throws {
            try await withFaultServer({ _, connection in
                let value = String(repeating: "a", count: fields.valueSize)
                let lines = (1..<fields.count).map { "X-\($0): \(value)\r\n" }.joined()
                try await connection.send("HTTP/1.1 200 OK\r\n\(lines)Content-Length: 0\r\n\r\n")
            }) { _, url in
                let received = try await NetworkError.code {
                    try await transport.make().response(for: .to(url))
                }

                let isTooLarge =
                    transport.has(.limitsEachField)
                    ? fields.count > 256 || fields.valueSize > 80 << 10
                    : fields.count > 1_000 || (fields.count - 1) * fields.valueSize > 256 << 10
                #expect(received == (isTooLarge ? .tooLarge : nil))
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a response that announces too large a body fails without waiting for the body`(
            transport: TransportUnderTest
        ) async throws {
            try await withFaultServer(.announcesTooMuch) { _, url in
                let code = try await NetworkError.code {
                    try await transport.make().response(for: .to(url))
                }

                #expect(code == .tooLarge)
            }
        }

        @Test func `an endless compressed body without content is too large for libcurl`()
            async throws
        {
            try await withFaultServer(.endlessGzip) { _, url in
                let code = try await NetworkError.code {
                    try await TransportUnderTest.curl.make().response(for: .to(url))
                }

                #expect(code == .tooLarge)
            }
        }

        #if canImport(Glibc) && !THREAD_SANITIZER
        @Test(
            arguments: TransportUnderTest.allCases,
            [Fault.endlessBody, .gzipBomb, .gzipBombInGzip]
        )
        func `an endless body or a gzip bomb uses limited memory`(
            transport: TransportUnderTest,
            fault: Fault
        ) async {
            await #expect(processExitsWith: .success) { [transport, name = fault.name as String] in
                let fault = [Fault.endlessBody, .gzipBomb, .gzipBombInGzip].first {
                    $0.name == name
                }
                let peak = try await Memory.peak(of: #require(fault), over: transport)
                #expect(peak < 28 << 20)
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `requests time out after another session received a gzip bomb`(
            transport: TransportUnderTest
        ) async {
            await #expect(processExitsWith: .success) { [transport] in
                _ = try await timeOut(transport)
            }
        }

        /// On Linux, all sessions of a process wait while one of them decompresses a body.
        @Test(.tags(.timing), .timed, arguments: TransportUnderTest.allCases)
        func `deadlines are met while another session decompresses a gzip bomb`(
            transport: TransportUnderTest
        ) async {
            await #expect(processExitsWith: .success) { [transport] in
                let time = try await timeOut(transport)
                #expect(time < .milliseconds(1_200))
            }
        }
        #endif
    }
}

/// Sends two requests with a deadline of 300 ms after another session received a gzip bomb.
///
/// - Returns: The time that both requests take.
private func timeOut(_ transport: TransportUnderTest) async throws -> Duration {
    try await withFaultServer(.gzipBombInGzip) { _, bomb in
        try await withFaultServer(.hangsBeforeTheHead) { _, url in
            let networking = try transport.make(deadline: .milliseconds(300))
            let code = try await NetworkError.code {
                try await transport.make().response(for: .to(bomb))
            }
            #expect(code == .tooLarge || code == .unreadable)

            let start = ContinuousClock.now
            for method in ["GET", "PUT"] {
                let code = try await NetworkError.code {
                    try await networking.response(for: .to(url, method))
                }
                #expect(code == .timedOut)
            }
            return start.duration(to: .now)
        }
    }
}
