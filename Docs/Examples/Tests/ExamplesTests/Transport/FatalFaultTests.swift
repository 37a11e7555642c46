#if canImport(FoundationNetworking)
import FaultServer
import Foundation
import FoundationNetworking
import ProductKit
import Testing

/// Responses that crash `URLSession` on Linux, with or without ProductKit.
///
/// Each test runs in its own process, and a crash is reported as a known issue. If a known issue is no
/// longer reported with a new toolchain, remove it from the article “Transports”.
@Suite(.timeLimit(.minutes(2))) struct FatalFaultTests {
    /// See issue 5285 of swift-corelibs-foundation.
    @Test func `a connection that closes inside the head is an error`() async {
        await withKnownIssue(isIntermittent: true) {
            await #expect(processExitsWith: .success) {
                try await FatalResponse.expectError("HTTP/1.1 200 OK\r\nContent-Le")
            }
        }
    }

    @Test func `a chunked body with trailer fields is a valid response`() async {
        await withKnownIssue(isIntermittent: true) {
            await #expect(processExitsWith: .success) {
                let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                try await FatalResponse.expectSuccess(head + "2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n")
            }
        }
    }

    @Test func `a redirect to an invalid host is an error`() async {
        await withKnownIssue(isIntermittent: true) {
            await #expect(processExitsWith: .success) {
                let head = "HTTP/1.1 302 Found\r\nLocation: //a%20b/x\r\nContent-Length: 0\r\n\r\n"
                try await FatalResponse.expectError(head)
            }
        }
    }
}

private enum FatalResponse {
    static func expectError(_ text: String) async throws {
        try await send(text) { url in
            await #expect(throws: NetworkError.self) {
                try await URLSessionTransport().response(for: .to(url))
            }
        }
    }

    static func expectSuccess(_ text: String) async throws {
        try await send(text) { url in
            let response = try await URLSessionTransport().response(for: .to(url))
            #expect(response.statusCode == 200)
        }
    }

    private static func send(_ text: String, _ body: (URL) async throws -> Void) async throws {
        try await withFaultServer({ _, connection in
            try await connection.send(text)
            try connection.close()
        }) { _, url in try await body(url) }
    }
}
#endif
