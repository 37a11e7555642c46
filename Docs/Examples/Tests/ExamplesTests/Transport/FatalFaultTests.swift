#if canImport(FoundationNetworking)
import FaultServer
import Foundation
import FoundationNetworking
import ProductKit
import Testing

/// What the system's session on Linux does not survive, whatever is built on it.
///
/// Each is tried in a process of its own, and how that ended is reported as a known issue. With a
/// toolchain that survives one, the report stays away and the article “Transports” can be shortened.
@Suite(.timeLimit(.minutes(2))) struct FatalFaultTests {
    /// swift-corelibs-foundation 5285.
    @Test func `a connection closed inside the head`() async {
        await withKnownIssue(isIntermittent: true) {
            await #expect(processExitsWith: .success) {
                try await Fatality.expectError("HTTP/1.1 200 OK\r\nContent-Le")
            }
        }
    }

    @Test func `fields after a chunked body, which are allowed`() async {
        await withKnownIssue(isIntermittent: true) {
            await #expect(processExitsWith: .success) {
                let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                try await Fatality.expectAnswer(head + "2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n")
            }
        }
    }

    @Test func `a redirect to a host that is none`() async {
        await withKnownIssue(isIntermittent: true) {
            await #expect(processExitsWith: .success) {
                let head = "HTTP/1.1 302 Found\r\nLocation: //a%20b/x\r\nContent-Length: 0\r\n\r\n"
                try await Fatality.expectError(head)
            }
        }
    }
}

private enum Fatality {
    static func expectError(_ text: String) async throws {
        try await send(text) { url in
            await #expect(throws: NetworkError.self) {
                try await URLSessionTransport().response(for: .to(url))
            }
        }
    }

    static func expectAnswer(_ text: String) async throws {
        try await send(text) { url in
            let answer = try await URLSessionTransport().response(for: .to(url))
            #expect(answer.statusCode == 200)
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
