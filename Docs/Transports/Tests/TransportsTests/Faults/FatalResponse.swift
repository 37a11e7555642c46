#if canImport(Glibc) && !THREAD_SANITIZER
import FaultServer
import Foundation
import ProductKit
import Testing

/// A response that ends the process inside of `URLSession` on Linux.
enum FatalResponse: String, CaseIterable, Codable {
    /// See issue 5285 of swift-corelibs-foundation.
    case headCutOff
    case trailerFields
    case redirectToMalformedHost
    case redirectToIPv6Address
    case largestLength

    /// The bytes of the response.
    private var text: String {
        switch self {
        case .headCutOff: "HTTP/1.1 200 OK\r\nContent-Le"
        case .trailerFields:
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n"
        case .redirectToMalformedHost:
            "HTTP/1.1 302 Found\r\nLocation: //a%20b/x\r\nContent-Length: 0\r\n\r\n"
        case .redirectToIPv6Address:
            "HTTP/1.1 302 Found\r\nLocation: //[::1]/x\r\nContent-Length: 0\r\n\r\n"
        case .largestLength: "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n{}"
        }
    }

    /// The expected error codes, or none if the response is a success.
    private var codes: Set<NetworkError.Code> {
        switch self {
        case .headCutOff: [.connectionLost, .incomplete]
        case .trailerFields: []
        case .redirectToMalformedHost: [.redirect, .unreachable]
        case .redirectToIPv6Address: [.redirect, .unreachable]
        case .largestLength: [.tooLarge]
        }
    }

    /// Expects that a transport returns the response or throws the right error, and is usable after it.
    func check(_ transport: TransportUnderTest) async throws {
        Memory.overwriteFreedMemory()
        try await withFaultServer({ request, connection in
            guard request.target == "/v1" else { return try await connection.respond() }
            try await connection.send(text)
            if self == .headCutOff || self == .largestLength { try connection.close() }
        }) { server, url in
            let networking = try transport.make()
            for _ in 1...3 { try await check(networking, url) }
        }
    }

    private func check(_ networking: any Networking, _ url: URL) async throws {
        _ = try await networking.response(for: .to(url.appending(path: "first")))
        let code = try await NetworkError.code {
            let response = try await networking.response(for: .to(url))
            #expect(response.statusCode == 200)
            #expect(response.body == Data("{}".utf8))
            return response
        }
        let next = try await networking.response(for: .to(url.appending(path: "next")))

        #expect(code.map(codes.contains) ?? codes.isEmpty, "\(code as Any)")
        #expect(next.statusCode == 200)
    }
}
#endif
