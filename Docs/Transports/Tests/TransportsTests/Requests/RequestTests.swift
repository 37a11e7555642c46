import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests as the server receives them, and servers that cannot be reached.
@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    @Test(arguments: TransportUnderTest.allCases)
    func `a request is sent unchanged`(transport: TransportUnderTest) async throws {
        try await withFaultServer(.validResponse) { server, url in
            var request = URLRequest(url: url.appending(path: "a b"))
            request.httpMethod = "PUT"
            request.httpBody = Data(#"{"isFavorite": true}"#.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.setValue("Bearer t", forHTTPHeaderField: "Authorization")

            let response = try await transport.make().response(for: request)

            let received = try #require(server.requests.first)
            #expect(response.statusCode == 200)
            #expect(response.url == request.url)
            #expect(received.method == "PUT")
            #expect(received.target == "/v1/a%20b")
            #expect(received.header("Content-Type") == "application/json")
            #expect(received.header("Authorization") == "Bearer t")
            #expect(received.header("Content-Length") == "20")
            #expect(received.header("Expect") == nil)
            #expect(received.body == request.httpBody)
        }
    }

    @Test(arguments: TransportUnderTest.allCases, [0, 1, 70_000, 3_000_000])
    func `a body of any size is sent completely`(
        transport: TransportUnderTest,
        size: Int
    ) async throws {
        try await withFaultServer(.validResponse) { server, url in
            var request = URLRequest.to(url, "PUT")
            request.httpBody = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })

            let response = try await transport.make().response(for: request)

            #expect(response.statusCode == 200)
            #expect(server.requests.map(\.body) == [request.httpBody])
            #expect(server.requests.first?.header("Content-Length") == "\(size)")
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `a ProductLoader works with the transport`(transport: TransportUnderTest) async throws {
        try await withFaultServer(.validResponse) { _, url in
            let product = try await ProductLoader(baseURL: url, networking: transport.make())
                .loadProduct(withID: "boots")

            #expect(product.name == "Boots")
        }
    }

    @Test func `a URLSession can be used as the networking of a loader`() async throws {
        try await withFaultServer(.validResponse) { _, url in
            let networking = URLSession(configuration: .ephemeral)
            let product = try await ProductLoader(baseURL: url, networking: networking)
                .loadProduct(withID: "boots")

            #expect(product.name == "Boots")
        }
    }

    @Test func `a DataLoader sends no token`() async throws {
        try await withFaultServer(.validResponse) { server, url in
            _ = try await DataLoader().data(from: url)

            #expect(server.requests.map { $0.header("Authorization") } == [nil])
        }
    }

    @Test func `a scheme in uppercase is sent`() async throws {
        try await withFaultServer(.validResponse) { _, url in
            let address = "HTTP" + url.absoluteString.dropFirst(4)
            let uppercase = try #require(URL(string: address))
            let transports = try TransportUnderTest.allCases.map { try $0.make() }
            for networking in transports + [URLSession(configuration: .ephemeral)] {
                let response = try await networking.response(for: .to(uppercase))

                #expect(response.statusCode == 200)
            }
        }
    }

    @Test(arguments: TransportUnderTest.allCases, ["GET", "PUT"])
    func `a closed port is reported as unreachable`(
        transport: TransportUnderTest,
        method: String
    ) async throws {
        try await withClosedPort { url in
            let error = await #expect(throws: NetworkError.self) {
                try await transport.make().response(for: .to(url, method))
            }

            #expect(error?.code == .unreachable)
            #expect(error?.url?.host() == "127.0.0.1")
            #expect(error?.underlying != nil)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `an invalid host name is reported as unreachable`(
        transport: TransportUnderTest
    ) async throws {
        let tooLong = String(repeating: "a", count: 64)
        let url = try #require(URL(string: "https://\(tooLong).example/v1"))

        let error = await #expect(throws: NetworkError.self) {
            try await transport.make().response(for: .to(url))
        }

        #expect(error?.code == .unreachable)
    }
}
