import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Responses that break the rules of HTTP/1.1 (RFC 9112).
@Suite(.timeLimit(.minutes(5))) struct MalformedResponseTests {
    private static let start = "HTTP/1.1 200 OK\r\n"
    private static let chunked = start + "Transfer-Encoding: chunked\r\n\r\n"

    #if os(Linux) && canImport(Glibc)
    private static let transports = [TransportUnderTest.urlSession, .curl]
    #else
    private static let transports = [TransportUnderTest.urlSession]
    #endif

    // Rule: errors/length-is-a-number (19)
    @Test(
        arguments: transports,
        [
            "5;x", "5abc", "+5", "-5", "0x15", "1e1", "5.0", "5 5", "five", "5, 6", "٥",
            "99999999999999999999",
        ]
    )
    func `a length that is not a number makes a response unusable`(
        transport: TransportUnderTest,
        length: String
    ) async throws {
        let text =
            Self.start + "Content-Length: \(length)\r\nConnection: close\r\n\r\n"
            + #"{"id": "boots"}"#
        try await withFaultServer(
            Fault("length") { _, connection in
                try await connection.send(text)
                try connection.close()
            }
        ) { _, url in
            let networking = try transport.make()

            let error = await #expect(throws: NetworkError.self) {
                try await networking.response(for: .to(url))
            }

            #expect(error?.code != .invalidRequest && error?.code != .unreachable)
        }
    }

    #if os(Linux) && canImport(Glibc)
    // Rule: errors/malformed-response-was-sent (20)
    @Test(
        arguments: [
            chunked + "4\r\ntext\r\n0\r\nbad trailer\r\n\r\n",
            chunked + "0x15\r\ntext\r\n0\r\n\r\n",
            chunked + "zz\r\ntext\r\n", start + " folded: 1\r\n\r\n",
            "HTTP/1.1 2x0 OK\r\n\r\n",
            start + "Transfer-Encoding: gzip, chunked\r\n\r\n4\r\ntext\r\n0\r\n\r\n",
        ],
        ["GET", "HEAD", "DELETE", "POST"]
    )
    func `a malformed response is not an invalid request`(
        text: String,
        method: String
    ) async throws {
        try await withFaultServer(
            Fault("malformed") { _, connection in
                try await connection.send(text)
                try connection.close()
            }
        ) { server, url in
            let networking = try CurlTransport()
            do {
                _ = try await networking.response(for: .to(url, method))
            } catch let error as NetworkError {
                let codes: [NetworkError.Code] = [
                    .incomplete, .connectionLost, .unreadable, .tooLarge,
                ]
                #expect(codes.contains(error.code), "\(error.code)")
                #expect(error.mayHaveReachedServer || method == "GET" || method == "HEAD")
            }
            #expect(!server.requests.isEmpty)
        }
    }
    #endif
}
