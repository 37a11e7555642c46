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
    @Suite(.timeLimit(.minutes(2))) struct BodySizeTests {
        @Test(arguments: [99, 100, 101])
        func `a body of exactly the maximum size is accepted, and a larger one is too large`(
            size: Int
        ) async throws {
            try await withFaultServer({ _, connection in
                try await connection.respond(body: Data(repeating: 32, count: size))
            }) { _, url in
                let transport = URLSessionTransport(maximumBodySize: 100)
                let code = await Result { try await transport.response(for: .to(url)) }.code

                #expect(code == (size > 100 ? .tooLarge : nil))
            }
        }

        @Test func `the response to a HEAD request may announce any size`() async throws {
            try await withFaultServer({ _, connection in
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
            }) { _, url in
                let response = try await URLSessionTransport().response(for: .to(url, "HEAD"))

                #expect(response.headers["Content-Length"] == "1000000000")
                #expect(response.body.isEmpty)
            }
        }

        @Test(
            arguments: [
                (1_000, 1, nil), (1_001, 1, .tooLarge), (4, 80_000, nil), (4, 90_000, .tooLarge),
            ] as [(Int, Int, NetworkError.Code?)]
        )
        func `a response with too many or too large header fields is too large`(
            count: Int,
            valueSize: Int,
            code: NetworkError.Code?
        ) async throws {
            try await withFaultServer({ _, connection in
                let value = String(repeating: "a", count: valueSize)
                let fields = (1..<count).map { "X-\($0): \(value)\r\n" }.joined()
                try await connection.send(
                    "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n"
                )
            }) { _, url in
                let result = await Result {
                    try await URLSessionTransport().response(for: .to(url))
                }

                #expect(result.code == code)
            }
        }

        @Test func `a response that announces too large a body fails immediately`() async throws {
            try await withFaultServer(.announcesTooMuch) { _, url in
                let start = ContinuousClock.now

                let code = await Result { try await URLSessionTransport().response(for: .to(url)) }
                    .code

                #expect(code == .tooLarge)
                #expect(start.duration(to: .now) < .seconds(10))
            }
        }

        #if canImport(Glibc) && !THREAD_SANITIZER
        @Test func `an endless body uses limited memory`() async {
            await #expect(processExitsWith: .success) {
                let peak = try await Memory.peak(of: .endlessBody)
                #expect(peak < 28 << 20)
            }
        }

        @Test func `a gzip bomb uses limited memory`() async {
            await #expect(processExitsWith: .success) {
                let peak = try await Memory.peak(of: .gzipBomb)
                #expect(peak < 28 << 20)
            }
        }

        @Test func `a gzip bomb that is compressed twice uses limited memory`() async {
            await #expect(processExitsWith: .success) {
                let peak = try await Memory.peak(of: .gzipBombInGzip)
                #expect(peak < 28 << 20)
            }
        }

        /// On Linux, all sessions of a process wait while one of them decompresses a body.
        @Test func `deadlines are met while another session decompresses a gzip bomb`() async {
            await #expect(processExitsWith: .success) {
                try await withFaultServer(.gzipBombInGzip) { _, bomb in
                    try await withFaultServer(.hangsBeforeTheHead) { _, url in
                        let transport = URLSessionTransport(deadline: .milliseconds(300))
                        let code = await Result {
                            try await URLSessionTransport().response(for: .to(bomb))
                        }.code
                        #expect(code == .tooLarge)

                        let start = ContinuousClock.now
                        for method in ["GET", "PUT"] {
                            let code = await Result {
                                try await transport.response(for: .to(url, method))
                            }.code
                            #expect(code == .timedOut)
                        }

                        #expect(start.duration(to: .now) < .milliseconds(1_200))
                    }
                }
            }
        }
        #endif
    }
}

extension Result where Success == NetworkResponse, Failure == any Error {
    fileprivate init(_ body: () async throws -> NetworkResponse) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    fileprivate var code: NetworkError.Code? {
        guard case .failure(let error as NetworkError) = self else { return nil }
        return error.code
    }
}
