import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct CancellationTests {
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"])
    func `a cancelled task throws immediately`(start: String) async throws {
        let (requests, request) = AsyncStream<Void>.makeStream()
        try await withFaultServer({ _, connection in
            try await connection.send(start)
            request.yield()
            try await connection.hang()
        }) { server, address in
            try await TestClient.run { networking in
                let load = Task { try await networking.response(for: URLRequest(url: address)) }
                for await _ in requests { break }
                let start = ContinuousClock.now

                load.cancel()
                await #expect(throws: CancellationError.self) { try await load.value }

                #expect(start.duration(to: .now) < .seconds(5))
                try await server.waitForClosedConnections(1)
            }
        }
    }

    @Test func `a task that is already cancelled opens no connection`() async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond()
        }) { server, address in
            try await TestClient.run { networking in
                await #expect(throws: CancellationError.self) {
                    try await withThrowingTaskGroup(of: NetworkResponse.self) { group in
                        group.cancelAll()
                        group.addTask {
                            try await networking.response(for: URLRequest(url: address))
                        }
                        _ = try await group.next()
                    }
                }

                _ = try await networking.response(for: URLRequest(url: address))
                #expect(server.connectionCount == 1)
            }
        }
    }
}
