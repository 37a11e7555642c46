#if os(Linux) && canImport(Glibc)
import FaultServer
import Foundation
import FoundationNetworking
import ProductKit
import Testing

/// The content codings of responses (RFC 9110 §8.4), which `CurlTransport` decodes itself.
@Suite(.timeLimit(.minutes(5))) struct ContentCodingTests {
    private static let json = #"{"id": "1", "name": "A"}"#
    /// `{}` in the gzip format.
    private static let gzip = Data([
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xAB, 0xAE, 5, 0, 0x43, 0xBF, 0xA6, 0xA3, 2, 0, 0, 0,
    ])

    // Rule: errors/unknown-coding-is-ignored (17)
    @Test(arguments: [
        "UTF-8", "utf8", "none", "identity", "binary", "aws-chunked", "application/json",
        "\"gzip\"",
        "gzip gzip", "UTF-8, identity", ",", "", "iso-8859-1",
    ])
    func `a coding that is not registered is ignored`(coding: String) async throws {
        let respond = handler(["Content-Encoding: \(coding)"], body: Data(Self.json.utf8))
        try await withFaultServer(respond) { _, url in
            let loader = ProductLoader(baseURL: url, networking: try CurlTransport())

            #expect(try await loader.loadProduct(withID: "1").name == "A")
        }
    }

    // Rule: errors/unknown-coding-is-ignored (17)
    @Test(arguments: [
        "br", "deflate", "compress", "zstd", "X-Compress", "gzip, gzip", "gzip,gzip", "br, gzip",
        "gzip\r\n ,gzip", "dcb", "UTF-8, br",
    ])
    func `a registered coding that was not requested is unreadable, with the status code`(
        coding: String
    ) async throws {
        let respond = handler(["Content-Encoding: \(coding)"], body: Data(Self.json.utf8))
        try await withFaultServer(respond) { _, url in
            let error = await #expect(throws: NetworkError.self) {
                try await CurlTransport().response(for: .to(url, "PUT"))
            }

            #expect(error?.code == .unreadable && error?.statusCode == 200)
            #expect(error.map { Outbox.Disposition($0) } == .confirmed)
        }
    }

    @Test(arguments: ["gzip", "GZIP", "x-gzip", "gzip, UTF-8", " gzip\t"])
    func `a body in gzip is decompressed, in however many members and parts`(
        coding: String
    ) async throws {
        let bodies = [
            (Self.gzip, "{}"), (Self.gzip + Self.gzip, "{}{}"), (Data(), ""),
            (Self.gzip + Self.gzip + Self.gzip, "{}{}{}"),
        ]
        for (body, text) in bodies {
            let whole = handler(["Content-Encoding: \(coding)"], body: body)
            let chunks: FaultServer.Handler = { _, connection in
                try await connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                )
                for byte in body {
                    try await connection.send(Data("1\r\n".utf8) + [byte] + Data("\r\n".utf8))
                }
                try await connection.send("0\r\n\r\n")
            }
            for respond in [whole, chunks] {
                try await withFaultServer(respond) { _, url in
                    let response = try await CurlTransport().response(for: .to(url))
                    #expect(String(decoding: response.body, as: UTF8.self) == text)
                }
            }
        }
    }

    @Test(arguments: [
        gzip.dropLast(1), gzip.prefix(1), gzip + gzip.dropLast(9), gzip + Data("x".utf8),
        Data("no gzip at all".utf8), gzip.dropLast(5) + Data(repeating: 7, count: 5),
    ])
    func `a body in gzip that is cut off or damaged is unreadable`(body: Data) async throws {
        try await withFaultServer(handler(["Content-Encoding: gzip"], body: body)) { _, url in
            let error = await #expect(throws: NetworkError.self) {
                try await CurlTransport().response(for: .to(url))
            }

            #expect(error?.code == .unreadable && error?.statusCode == 200)
        }
    }

    @Test(arguments: ["gzip", "br", "gzip, gzip", "UTF-8"])
    func `a response that never has a body may have any coding`(coding: String) async throws {
        for (method, statusCode) in [("HEAD", 200), ("GET", 204), ("GET", 304)] {
            let head = "HTTP/1.1 \(statusCode) OK\r\nContent-Encoding: \(coding)\r\n"
            let respond: FaultServer.Handler = { _, connection in
                let length = method == "HEAD" ? "Content-Length: 9\r\n" : ""
                try await connection.send("\(head)\(length)\r\n")
            }
            try await withFaultServer(respond) { _, url in
                let response = try await CurlTransport().response(for: .to(url, method))
                #expect(response.statusCode == statusCode && response.body.isEmpty)
            }
        }
    }

    @Test(arguments: [nil, "identity", "br"], [false, true])
    func `a request accepts gzip unless it has a field of its own or requests a range`(
        own: String?,
        isRange: Bool
    ) async throws {
        try await withFaultServer(.validResponse) { server, url in
            var request = URLRequest.to(url)
            request.setValue(own, forHTTPHeaderField: "Accept-Encoding")
            if isRange { request.setValue("bytes=0-9", forHTTPHeaderField: "Range") }

            _ = try await CurlTransport().response(for: request)

            let lines = server.requests.first?.head.split(separator: "\r\n") ?? []
            #expect(
                lines.filter { $0.lowercased().hasPrefix("accept-encoding:") }
                    == ["Accept-Encoding: \(own ?? (isRange ? "identity" : "gzip"))"]
            )
        }
    }

    // Rule: errors/unusable-response-has-status (16)
    @Test(arguments: TransportUnderTest.allCases)
    func `the error for a response that is unusable has its status code`(
        transport: TransportUnderTest
    ) async throws {
        let ofBrokenGzip: NetworkError.Code = transport == .urlSession ? .incomplete : .unreadable
        let faults: [(Fault, NetworkError.Code)] = [
            (.truncatedByLength, .incomplete), (.announcesTooMuch, .tooLarge),
            (.endlessBody, .tooLarge), (.brokenGzip, ofBrokenGzip),
        ]
        for (fault, code) in faults {
            try await withFaultServer(fault) { _, url in
                let networking = try transport.make(maximumBodySize: 1 << 16)
                let error = await #expect(throws: NetworkError.self) {
                    try await networking.response(for: .to(url, "PUT"))
                }

                #expect(error?.code == code && error?.statusCode == 200, "\(fault)")
                #expect(error.map { Outbox.Disposition($0) } == .confirmed)
            }
        }
    }

    private func handler(_ fields: [String], body: Data) -> FaultServer.Handler {
        { _, connection in try await connection.respond(headers: fields, body: body) }
    }
}
#endif
