import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What becomes of each wrong answer, for a read and for a write.
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
        ] as [(Fault, NetworkError.Code)],
        ["GET", "PUT"]
    )
    func `a broken answer is a typed error, and the request was sent once`(
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
    func `a body that is no product is unreadable`(fault: Fault) async throws {
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
            .informationalFirst, .namesInThreeCases, .manyFields, .validGzip,
        ] as [Fault],
        ["GET", "PUT"]
    )
    func `an unusual answer is read all the same`(fault: Fault, method: String) async throws {
        try await withFaultServer(fault) { _, url in
            let answer = try await URLSessionTransport().response(for: .to(url, method))

            #expect(answer.statusCode == 200)
            #expect(try answer.json(Product.self).name == "A")
        }
    }

    @Test func `names that differ in case are one name`() async throws {
        try await withFaultServer(.namesInThreeCases) { _, url in
            let answer = try await URLSessionTransport().response(for: .to(url))

            #expect(Set(answer.headers["x-tag"]?.split(separator: ", ") ?? []) == ["a", "b", "c"])
            #expect(answer.headers.filter { $0.name.lowercased() == "x-tag" }.count == 1)
        }
    }

    @Test(arguments: [(Fault.bodyWith204, 204), (.bodyWith304, 304)])
    func `a body where none may be is left out`(fault: Fault, status: Int) async throws {
        try await withFaultServer(fault) { _, url in
            let transport = URLSessionTransport()
            for _ in 1...2 {
                let answer = try await transport.response(for: .to(url))

                #expect(answer.statusCode == status)
                #expect(answer.body.isEmpty)
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
    func `a challenge is the refusal that it is, with its body`(
        fault: Fault,
        method: String
    ) async throws {
        try await withFaultServer(fault) { server, url in
            let answer = try await URLSessionTransport().response(for: .to(url, method))

            #expect(fault.name.contains("\(answer.statusCode)"))
            #expect(answer.body.contains("Who are you?"))
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: [429, 503])
    func `a server that asks for time says how much`(status: Int) async throws {
        try await withFaultServer(.busy(status)) { server, url in
            let answer = try await URLSessionTransport().response(for: .to(url))

            #expect(answer.statusCode == status)
            #expect(answer.headers["Retry-After"] == "2")
            #expect(server.requests.count == 1)
        }
    }

    @Test func `failures before a success are each reported`() async throws {
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
