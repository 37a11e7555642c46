import FaultServer
import Foundation
import ProductKit
import Testing

/// Responses that crash or break `URLSession` on Linux.
@Suite(.timeLimit(.minutes(1))) struct SurvivalTests {
    @Test func `a connection that closes inside the header fields is an error`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Le")
            try connection.close()
        }) { server, address in
            let error = await #expect(throws: NetworkError.self) {
                try await TestClient.run { networking in
                    try await networking.response(for: URLRequest(url: address))
                }
            }

            #expect(error?.code == .connectionLost)
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: ["000", "099", "001"])
    func `a status code of less than 100 is an error, and the client is still usable`(
        statusCode: String
    ) async throws {
        try await withFaultServer({ _, connection in
            try await connection.send(
                "HTTP/1.1 \(statusCode) Odd\r\nContent-Length: 2\r\n\r\n{}"
            )
        }) { server, address in
            try await TestClient.run { networking in
                for _ in 0..<2 {
                    let error = await #expect(throws: NetworkError.self) {
                        try await networking.response(for: URLRequest(url: address))
                    }
                    #expect(error?.code == .unreadable)
                }
            }

            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: ["-1", "000", "099", "1e3", "4xx"])
    func `an invalid status of HTTP/2 is an error, and the client is still usable`(
        status: String
    ) async throws {
        let authority = try TestAuthority()
        let security = try authority.configuration(for: .valid)
        try await withHTTP2Server(security, status: status) { port in
            let address = try #require(URL(string: "https://localhost:\(port)/v1"))
            try await TestClient.run(trusting: authority) { networking in
                for _ in 0..<2 {
                    let error = await #expect(throws: NetworkError.self) {
                        try await networking.response(for: URLRequest(url: address))
                    }
                    #expect(error?.code == .unreadable)
                }
            }
        }
    }

    @Test(arguments: [200, 418, 503])
    func `a valid status of HTTP/2 is returned`(status: Int) async throws {
        let authority = try TestAuthority()
        let security = try authority.configuration(for: .valid)
        try await withHTTP2Server(security, status: "\(status)") { port in
            let address = try #require(URL(string: "https://localhost:\(port)/v1"))

            let response = try await TestClient.run(trusting: authority) { networking in
                try await networking.response(for: URLRequest(url: address))
            }

            #expect(response.statusCode == status)
        }
    }

    @Test func `a scheme in uppercase is sent`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond(204)
        }) { _, address in
            let uppercase = "HTTP" + address.absoluteString.dropFirst(4)
            let url = try #require(URL(string: uppercase))

            let response = try await TestClient.run { networking in
                try await networking.response(for: URLRequest(url: url))
            }

            #expect(response.statusCode == 204)
        }
    }

    @Test(arguments: ["//a%20b/x", "http://[", "https://shop.example/", "/v1"])
    func `a redirect is returned as a response`(location: String) async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond(302, headers: ["Location: \(location)"])
        }) { server, address in
            let response = try await TestClient.run { networking in
                try await networking.response(for: URLRequest(url: address))
            }

            #expect(response.statusCode == 302)
            #expect(response.headers["Location"] == location)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a chunked response with a trailer is read completely`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                    + "5\r\n{\"id\"\r\n4\r\n: 1}\r\n0\r\nX-Sum: 9\r\n\r\n"
            )
        }) { _, address in
            let response = try await TestClient.run { networking in
                try await networking.response(for: URLRequest(url: address))
            }

            #expect(response.statusCode == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"id": 1}"#)
        }
    }
}
