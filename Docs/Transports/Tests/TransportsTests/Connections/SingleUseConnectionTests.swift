import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MeasuredTests {
    /// Tests that the system never sends a write again by itself.
    @Suite(.timeLimit(.minutes(5))) struct SingleUseConnectionTests {
        /// Responds to the first request of each connection, and closes at the second.
        ///
        /// To the client, this looks like an idle connection that the server closes just now.
        private let closesAtSecondRequest: FaultServer.Handler = { request, connection in
            guard request.isFirst else { return try connection.close() }
            try await connection.respond()
        }

        @Test(arguments: TransportUnderTest.all(without: .neverResends), ["PUT", "POST", "PATCH"])
        func `a write after a read has its own connection`(
            transport: TransportUnderTest,
            method: String
        ) async throws {
            try await withFaultServer(closesAtSecondRequest) { server, url in
                let networking = try transport.make()
                for _ in 1...20 {
                    _ = try await networking.response(for: .to(url))

                    let response = try await networking.response(for: .to(url, method))

                    #expect(response.statusCode == 200)
                }
                let writes = server.requests.filter { $0.method == method }
                #expect(writes.count == 20)
                #expect(Set(writes.map(\.connection)).count == 20)
                #expect(writes.allSatisfy { $0.body == Data(#"{"name": "Gifts"}"#.utf8) })
            }
        }

        @Test(arguments: TransportUnderTest.all(without: .neverResends), ["DELETE", "GET"])
        func `a resendable request succeeds after its connection has gone stale`(
            transport: TransportUnderTest,
            method: String
        ) async throws {
            try await withFaultServer(closesAtSecondRequest) { server, url in
                let networking = try transport.make()
                for _ in 1...20 {
                    let response = try await networking.response(for: .to(url, method))

                    #expect(response.statusCode == 200)
                }
                #expect(server.requests.count <= 40)
            }
        }

        @Test(arguments: TransportUnderTest.allCases, ["PUT", "POST", "PATCH"])
        func `a write over a connection that closes at its second request arrives once`(
            transport: TransportUnderTest,
            method: String
        ) async throws {
            try await withFaultServer(closesAtSecondRequest) { server, url in
                let networking = try transport.make()
                for number in 1...20 {
                    _ = try? await networking.response(for: .to(url))

                    let code = try await NetworkError.code {
                        try await networking.response(for: .to(url, method))
                    }

                    #expect(code == (transport.has(.neverResends) ? .connectionLost : nil))
                    #expect(server.requests.count { $0.method == method } == number)
                }
            }
        }

        @Test(arguments: TransportUnderTest.allCases, ["PUT", "POST", "PATCH"])
        func `a write without a response arrives once`(
            transport: TransportUnderTest,
            method: String
        ) async throws {
            try await withFaultServer(.closesBeforeTheHead) { server, url in
                let error = await #expect(throws: NetworkError.self) {
                    try await transport.make().response(for: .to(url, method))
                }

                #expect(error?.code == .connectionLost)
                #expect(server.requests.count == 1)
            }
        }

        @Test(
            arguments: TransportUnderTest.allCases.filter { $0.has(.limitsWrites) },
            ["PUT", "DELETE"]
        )
        func `the connection of an unsafe request is closed after the response`(
            transport: TransportUnderTest,
            method: String
        ) async throws {
            try await withFaultServer(.validResponse) { server, url in
                let networking = try transport.make()
                for _ in 1...5 { _ = try await networking.response(for: .to(url, method)) }

                try await server.waitForClosedConnections(5)
                _ = networking
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a thousand concurrent writes all arrive`(transport: TransportUnderTest) async throws {
            try await withFaultServer(.validResponse) { server, url in
                let networking = try transport.make()
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 1...1_000 {
                        group.addTask {
                            try await networking.response(for: .to(url, "PUT")).statusCode
                        }
                    }
                    return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
                }

                #expect(statuses == [200: 1_000])
                #expect(server.requests.count == 1_000)
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `a challenged or failed write frees its connection`(
            transport: TransportUnderTest
        ) async throws {
            for fault in [Fault.challenge(401, "Basic"), .announcesTooMuch, .closesBeforeTheHead] {
                try await withFaultServer(fault) { server, url in
                    let networking = try transport.make()
                    await withDiscardingTaskGroup { group in
                        for _ in 1...200 {
                            group.addTask {
                                _ = try? await networking.response(for: .to(url, "PUT"))
                            }
                        }
                    }

                    #expect(server.requests.count == 200)
                }
            }
        }

        @Test(arguments: TransportUnderTest.allCases.filter { $0.has(.limitsWrites) })
        func `at most 32 writes have a connection at the same time`(
            transport: TransportUnderTest
        ) async throws {
            try await withFaultServer(.hangsBeforeTheHead) { server, url in
                let networking = try transport.make()
                let writes = (1...50).map { _ in
                    Task { try await networking.response(for: .to(url, "PUT")) }
                }
                try await server.waitForRequests(32)
                // Without the limit, the other writes would arrive before this read.
                let read = Task { try await networking.response(for: .to(url)) }
                try await server.waitForRequests(33)

                #expect(server.requests.filter { $0.method == "PUT" }.count == 32)
                for task in writes + [read] { task.cancel() }
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `pending writes end at their deadline or when they are cancelled`(
            transport: TransportUnderTest
        ) async throws {
            try await endWrites(over: transport)

            try await withFaultServer(.validResponse) { _, url in
                let response = try await transport.make().response(for: .to(url, "PUT"))

                #expect(response.statusCode == 200)
            }
        }

        @Test(.tags(.timing), .timed, arguments: TransportUnderTest.allCases)
        func `pending writes end on time`(transport: TransportUnderTest) async throws {
            let start = ContinuousClock.now

            try await endWrites(over: transport)

            #expect(start.duration(to: .now) < .seconds(10))
        }

        /// Expects that fifty writes time out, and that fifty others are cancelled.
        private func endWrites(over transport: TransportUnderTest) async throws {
            try await withFaultServer(.hangsBeforeTheHead) { server, url in
                let networking = try transport.make(deadline: .seconds(2))
                let writes = (1...100).map { _ in
                    Task { try await networking.response(for: .to(url, "PUT")) }
                }
                for write in writes.suffix(50) { write.cancel() }

                for write in writes.suffix(50) {
                    await #expect(throws: CancellationError.self) { try await write.value }
                }
                for write in writes.prefix(50) {
                    let error = await #expect(throws: NetworkError.self) { try await write.value }
                    #expect(error?.code == .timedOut)
                }

                // The pool of AsyncHTTPClient keeps connections that it opened for cancelled requests.
                guard transport != .asyncHTTPClient else { return }
                try await server.waitForClosedConnections(server.connectionCount)
            }
        }
    }
}
