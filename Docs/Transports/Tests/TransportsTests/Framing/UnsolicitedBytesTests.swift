#if os(Linux) && canImport(Glibc)
import FaultServer
import Foundation
import FoundationNetworking
import ProductKit
import Synchronization
import Testing

/// Bytes that a server sends after a complete response, in a segment of their own.
///
/// Each is on the client's side before the next request is sent.
@Suite(.timeLimit(.minutes(5))) struct UnsolicitedBytesTests {
    /// A response, and the bytes behind it.
    struct Surplus: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var method = "GET"
        var response = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfirs"
        var bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother"

        static let all = [
            Surplus(
                testDescription: "the rest of a body that is longer than its length",
                bytes: "t"
            ),
            Surplus(testDescription: "another response"),
            Surplus(testDescription: "an empty line", bytes: "\r\n"),
            Surplus(
                testDescription: "a timeout",
                bytes: "HTTP/1.1 408 Late\r\nContent-Length: 0\r\n\r\n"
            ),
            Surplus(
                testDescription: "data after the last chunk",
                response:
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfirs\r\n0\r\n\r\n"
            ),
            Surplus(
                testDescription: "the body of a HEAD",
                method: "HEAD",
                response: "HTTP/1.1 200 OK\r\nContent-Length: 45\r\n\r\n"
            ),
            Surplus(
                testDescription: "the body of a 204",
                method: "DELETE",
                response: "HTTP/1.1 204 No Content\r\n\r\n"
            ),
        ]
    }

    // Rule: security/response-belongs-to-its-request (40)
    @Test(arguments: Surplus.all, ["GET", "HEAD", "DELETE", "PUT"])
    func `the next request gets its own response`(
        surplus: Surplus,
        nextMethod: String
    ) async throws {
        let sent = Mutex(0)
        let handler: FaultServer.Handler = { request, connection in
            guard request.target == "/v1/surplus" else {
                return try await connection.respond(
                    headers: ["X-Target: \(request.target)"],
                    body: request.method == "HEAD" ? Data() : Data(request.target.utf8)
                )
            }
            try await connection.send(surplus.response)
            // The client has the response now, or will read both at once.
            try await Task.sleep(for: .milliseconds(20))
            try? await connection.send(surplus.bytes)
            sent.withLock { $0 += 1 }
        }
        try await withFaultServer(handler) { server, url in
            let networking = try CurlTransport()
            for number in 1...5 {
                let first = URLRequest.to(url.appending(path: "surplus"), surplus.method)
                _ = try? await networking.response(for: first)
                while sent.withLock(\.self) < number { try await Task.sleep(for: .milliseconds(1)) }

                let target = "/v1/\(number)"
                let next = URLRequest.to(url.appending(path: "\(number)"), nextMethod)
                let response = try await networking.response(for: next)

                #expect(response.statusCode == 200 && response.headers["X-Target"] == target)
                if nextMethod != "HEAD" { #expect(response.text == target) }
            }
            #expect(server.requests.filter { $0.target != "/v1/surplus" }.count == 5)
        }
    }

    // Rule: security/response-belongs-to-its-request (40)
    @Test func `a quiet connection is used again`() async throws {
        try await withFaultServer({ _, connection in try await connection.respond(body: Data()) }) {
            server,
            url in
            let networking = try CurlTransport()
            for method in ["GET", "HEAD", "GET", "DELETE", "GET"] {
                _ = try await networking.response(for: .to(url, method))
            }

            #expect(server.connectionCount == 1)
        }
    }

    // Rule: security/response-belongs-to-its-request (40)
    @Test func `connections at the same time are distinguished`() async throws {
        let handler: FaultServer.Handler = { request, connection in
            try await connection.respond(body: Data(request.target.utf8))
            if request.target.hasSuffix("0") { try? await connection.send("\r\n") }
        }
        try await withFaultServer(handler) { _, url in
            let networking = try CurlTransport()
            for round in 0..<5 {
                try await withThrowingTaskGroup { group in
                    for number in 0..<20 {
                        let path = "\(round)-\(number)"
                        group.addTask {
                            let request = URLRequest.to(url.appending(path: path))
                            return try await networking.response(for: request).text == "/v1/\(path)"
                        }
                    }
                    for try await isOwn in group { #expect(isOwn) }
                }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}

extension NetworkResponse {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
#endif
