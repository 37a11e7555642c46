import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The result of each fault, for a safe and an unsafe request.
@Suite(.timeLimit(.minutes(2))) struct FaultOutcomeTests {
    @Test(
        arguments: [
            (.closesBeforeTheHead, .connectionLost), (.resetsBeforeTheHead, .connectionLost),
            (.resetsInTheBody, .incomplete), (.truncatedByLength, .incomplete),
            (.truncatedByChunk, .incomplete), (.badChunkSize, .incomplete),
            (.brokenGzip, .incomplete), (.onlyInformational, .connectionLost),
            (.garbageStatusLine, .unreadable), (.noHead, .unreadable),
            (.twoLengths, .unreadable), (.hugeField, .connectionLost),
            (.announcesTooMuch, .tooLarge), (.endlessBody, .tooLarge), (.gzipBomb, .tooLarge),
            (.manyFields, .tooLarge),
        ] as [(Fault, NetworkError.Code)],
        ["GET", "PUT"]
    )
    func `a malformed response throws an error with the right code, and the request is sent once`(
        fault: (Fault, NetworkError.Code),
        method: String
    ) async throws {
        try await withFaultServer(fault.0) { server, url in
            let error = await #expect(throws: NetworkError.self) {
                try await URLSessionTransport().response(for: .to(url, method))
            }

            #expect(error?.code == fault.1)
            #expect(error?.debugDescription.contains(method) == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: Fault.unreadableBodies)
    func `a body that cannot be decoded is unreadable`(fault: Fault) async throws {
        try await withFaultServer(fault) { server, url in
            let loader = ProductLoader(baseURL: url, networking: URLSessionTransport())

            let error = await #expect(throws: NetworkError.self) {
                try await loader.loadProduct(withID: "boots")
            }

            #expect(error?.code == .unreadable)
            #expect(error?.statusCode == 200)
            #expect((error?.body.count ?? 0) <= 4_096)
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        arguments: [
            .informationalFirst, .namesInThreeCases, .validGzip,
        ] as [Fault],
        ["GET", "PUT"]
    )
    func `an unusual but valid response is decoded`(fault: Fault, method: String) async throws {
        try await withFaultServer(fault) { _, url in
            let response = try await URLSessionTransport().response(for: .to(url, method))

            #expect(response.statusCode == 200)
            #expect(try response.json(Product.self).name == "A")
        }
    }

    @Test func `field names that differ in case are combined`() async throws {
        try await withFaultServer(.namesInThreeCases) { _, url in
            let response = try await URLSessionTransport().response(for: .to(url))

            #expect(
                Set(response.headers["x-tag"]?.split(separator: ", ") ?? []) == ["a", "b", "c"]
            )
            #expect(response.headers.filter { $0.name.lowercased() == "x-tag" }.count == 1)
        }
    }

    @Test(arguments: [(Fault.bodyWith204, 204), (.bodyWith304, 304)])
    func `a body after a 204 or 304 is ignored`(fault: Fault, status: Int) async throws {
        try await withFaultServer(fault) { _, url in
            let transport = URLSessionTransport()
            for _ in 1...2 {
                let response = try await transport.response(for: .to(url))

                #expect(response.statusCode == status)
                #expect(response.body.isEmpty)
            }
        }
    }

    @Test(
        arguments: [
            .challenge(401, #"Basic realm="shop""#), .challenge(401, #"Bearer realm="shop""#),
            .challenge(401, #"Bearer realm="shop""#, #"Basic realm="shop""#),
            .challenge(401, #"Basic realm="shop", Bearer"#), .challenge(401, "Basic"),
            .challenge(401, #"Digest realm="shop", nonce="x""#), .challenge(401, ""),
            .challenge(407, #"Basic realm="shop""#),
        ] as [Fault],
        ["GET", "PUT"]
    )
    func `an authentication challenge is returned as a response with its body`(
        fault: Fault,
        method: String
    ) async throws {
        try await withFaultServer(fault) { server, url in
            let response = try await URLSessionTransport().response(for: .to(url, method))

            #expect(fault.name.contains("\(response.statusCode)"))
            #expect(response.body.contains("Who are you?"))
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: [429, 503])
    func `a Retry-After field is returned`(status: Int) async throws {
        try await withFaultServer(.busy(status)) { server, url in
            let response = try await URLSessionTransport().response(for: .to(url))

            #expect(response.statusCode == status)
            #expect(response.headers["Retry-After"] == "2")
            #expect(server.requests.count == 1)
        }
    }

    @Test func `each of several failures is reported before a success`() async throws {
        try await withFaultServer({ request, connection in
            try await connection.respond(request.connection <= 2 ? 503 : 200)
            try connection.close()
        }) { server, url in
            let transport = URLSessionTransport()
            var statuses: [Int] = []
            for _ in 1...3 {
                try await statuses.append(transport.response(for: .to(url)).statusCode)
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
