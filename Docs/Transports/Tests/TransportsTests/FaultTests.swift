import FaultServer
import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct FaultTests {
    @Test(
        arguments: [
            (Fault.closesBeforeTheHead, NetworkError.Code.connectionLost),
            (.resetsBeforeTheHead, .connectionLost),
            (.resetsInTheBody, .incomplete),
            (.truncatedByLength, .incomplete),
            (.truncatedByChunk, .incomplete),
            (.badChunkSize, .unreadable),
            (.endlessBody, .tooLarge),
            (.announcesTooMuch, .tooLarge),
            (.gzipBomb, .tooLarge),
            (.truncatedGzip, .unreadable),
            (.brokenGzip, .unreadable),
            (.onlyInformational, .connectionLost),
            (.garbageStatusLine, .unreadable),
            (.noHead, .unreadable),
            (.twoLengths, .unreadable),
            (.hugeField, .tooLarge),
            (.manyFields, .tooLarge),
        ]
    )
    func `a malformed response throws an error with the right code`(
        fault: Fault,
        code: NetworkError.Code
    ) async throws {
        try await withFaultServer(fault) { server, address in
            let error = await #expect(throws: NetworkError.self) {
                try await TestClient.run { networking in
                    try await networking.response(for: URLRequest(url: address))
                }
            }

            #expect(error?.code == code)
            #expect(error?.underlying != nil)
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        arguments: [
            Fault.hangsBeforeTheHead, .hangsInTheHead, .hangsInTheBody, .dripsTheHead,
            .dripsTheBody,
        ]
    )
    func `a response that never ends is a timeout at the deadline`(fault: Fault) async throws {
        try await withFaultServer(fault) { server, address in
            let start = ContinuousClock.now

            let error = await #expect(throws: NetworkError.self) {
                try await TestClient.run(deadline: .milliseconds(500)) { networking in
                    try await networking.response(for: URLRequest(url: address))
                }
            }

            #expect(error?.code == .timedOut)
            #expect(start.duration(to: .now) >= .milliseconds(500))
            #expect(start.duration(to: .now) < .seconds(10))
            try await server.waitForClosedConnections(1)
        }
    }

    @Test(
        arguments: [
            (Fault.informationalFirst, 200, #"{"id": 1, "name": "A"}"#),
            (.namesInThreeCases, 200, #"{"id": 1, "name": "A"}"#),
            (.validGzip, 200, #"{"id": 1, "name": "A"}"#),
            (.bodyWith204, 204, ""),
            (.bodyWith304, 304, ""),
            (.challenge(401, "Basic"), 401, #"{"title": "Who are you?", "status": 401}"#),
            (.challenge(407, "Basic"), 407, #"{"title": "Who are you?", "status": 407}"#),
            (.busy(429), 429, ""),
            (.busy(503), 503, ""),
        ]
    )
    func `an unusual but complete response is returned`(
        fault: Fault,
        status: Int,
        body: String
    ) async throws {
        try await withFaultServer(fault) { _, address in
            let response = try await TestClient.run { networking in
                try await networking.response(for: URLRequest(url: address))
            }

            #expect(response.statusCode == status)
            #expect(String(decoding: response.body, as: UTF8.self) == body)
            #expect(response.url == address)
        }
    }

    @Test(arguments: Fault.unreadableBodies.filter { $0.name != Fault.truncatedGzip.name })
    func `a body that cannot be decoded is returned unchanged`(fault: Fault) async throws {
        try await withFaultServer(fault) { _, address in
            let response = try await TestClient.run { networking in
                try await networking.response(for: URLRequest(url: address))
            }

            #expect(response.statusCode == 200)
            #expect(throws: NetworkError.self) { try response.json(Product.self) }
        }
    }

    @Test func `header fields with the same name are combined`() async throws {
        try await withFaultServer(.namesInThreeCases) { _, address in
            let response = try await TestClient.run { networking in
                try await networking.response(for: URLRequest(url: address))
            }

            #expect(response.headers["x-TAG"] == "a, b, c")
        }
    }
}
