import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The result of each fault, for a safe and an unsafe request.
@Suite(.timeLimit(.minutes(5))) struct FaultOutcomeTests {
    @Test(arguments: TransportUnderTest.allCases, ExpectedFault.all)
    func `a fault has the right outcome, and the request is sent once`(
        transport: TransportUnderTest,
        expected: ExpectedFault
    ) async throws {
        for method in ["GET", "PUT"] {
            try await withFaultServer(expected.fault) { server, url in
                let networking = try transport.make()
                if let code = expected.code(of: transport) {
                    let error = await #expect(throws: NetworkError.self) {
                        try await networking.response(for: .to(url, method))
                    }

                    #expect(error?.code == code)
                    #expect(error?.debugDescription.contains(method) == true)
                } else {
                    let response = try await networking.response(for: .to(url, method))

                    #expect(response.statusCode == 200)
                    #expect(try response.json(Product.self).name == "A")
                }
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test(arguments: TransportUnderTest.allCases, Fault.unreadableBodies)
    func `a body that cannot be decoded is unreadable`(
        transport: TransportUnderTest,
        fault: Fault
    ) async throws {
        try await withFaultServer(fault) { server, url in
            let loader = ProductLoader(baseURL: url, networking: try transport.make())

            let error = await #expect(throws: NetworkError.self) {
                try await loader.loadProduct(withID: "boots")
            }

            #expect(error?.code == .unreadable)
            let losesStatus =
                transport.has(.losesStatusOfTruncatedGzip) && fault.name == Fault.truncatedGzip.name
            if !losesStatus {
                #expect(error?.statusCode == 200)
            }
            #expect((error?.body.count ?? 0) <= 4_096)
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `field names that differ in case are combined`(transport: TransportUnderTest) async throws
    {
        try await withFaultServer(.namesInThreeCases) { _, url in
            let response = try await transport.make().response(for: .to(url))

            #expect(
                Set(response.headers["x-tag"]?.split(separator: ", ") ?? []) == ["a", "b", "c"]
            )
            #expect(response.headers.filter { $0.name.lowercased() == "x-tag" }.count == 1)
        }
    }

    @Test(arguments: TransportUnderTest.allCases, [(Fault.bodyWith204, 204), (.bodyWith304, 304)])
    func `a body after a 204 or 304 is ignored`(
        transport: TransportUnderTest,
        response: (fault: Fault, status: Int)
    ) async throws {
        try await withFaultServer(response.fault) { _, url in
            let networking = try transport.make()
            // The second request would use a connection on which the server sent too much.
            for _ in 1...(transport.has(.neverResends) ? 1 : 2) {
                let received = try await networking.response(for: .to(url))

                #expect(received.statusCode == response.status)
                #expect(received.body.isEmpty)
            }
        }
    }

    @Test(
        arguments: TransportUnderTest.allCases,
        [
            .challenge(401, #"Basic realm="shop""#), .challenge(401, #"Bearer realm="shop""#),
            .challenge(401, #"Bearer realm="shop""#, #"Basic realm="shop""#),
            .challenge(401, #"Basic realm="shop", Bearer"#), .challenge(401, "Basic"),
            .challenge(401, #"Digest realm="shop", nonce="x""#), .challenge(401, ""),
            .challenge(407, #"Basic realm="shop""#),
        ] as [Fault]
    )
    func `an authentication challenge is returned as a response with its body`(
        transport: TransportUnderTest,
        fault: Fault
    ) async throws {
        for method in ["GET", "PUT"] {
            try await withFaultServer(fault) { server, url in
                let response = try await transport.make().response(for: .to(url, method))

                #expect(fault.name.contains("\(response.statusCode)"))
                #expect(response.body.contains("Who are you?"))
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test(arguments: TransportUnderTest.allCases, [429, 503])
    func `a Retry-After field is returned`(transport: TransportUnderTest, status: Int) async throws
    {
        try await withFaultServer(.busy(status)) { server, url in
            let response = try await transport.make().response(for: .to(url))

            #expect(response.statusCode == status)
            #expect(response.headers["Retry-After"] == "2")
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `each of several failures is reported before a success`(
        transport: TransportUnderTest
    ) async throws {
        try await withFaultServer({ request, connection in
            try await connection.respond(
                request.connection <= 2 ? 503 : 200,
                headers: ["Connection: close"]
            )
            try connection.close()
        }) { server, url in
            let networking = try transport.make()
            var statuses: [Int] = []
            for _ in 1...3 {
                try await statuses.append(networking.response(for: .to(url)).statusCode)
            }

            #expect(statuses == [503, 503, 200])
            #expect(server.requests.count == 3)
        }
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool {
        String(decoding: self, as: UTF8.self).contains(text)
    }
}
