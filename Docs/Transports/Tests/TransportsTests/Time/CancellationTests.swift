import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MeasuredTests {
    /// Cancellation never hangs or crashes, and closes the connection.
    @Suite(.timeLimit(.minutes(5))) struct CancellationTests {
        private static let slowResponses: [Fault] = [
            .hangsBeforeTheHead, .hangsInTheHead, .hangsInTheBody, .dripsTheHead, .dripsTheBody,
        ]

        @Test(arguments: TransportUnderTest.allCases, slowResponses)
        func `a cancelled task throws, and its connection is closed`(
            transport: TransportUnderTest,
            fault: Fault
        ) async throws {
            for method in ["GET", "PUT"] {
                _ = try await times(of: method, to: fault, over: transport)
            }
        }

        @Test(.tags(.timing), .timed, arguments: TransportUnderTest.allCases, slowResponses)
        func `a cancelled task throws within 20 ms`(
            transport: TransportUnderTest,
            fault: Fault
        ) async throws {
            for method in ["GET", "PUT"] {
                let times = try await times(of: method, to: fault, over: transport)

                #expect(times.min().map { $0 < .milliseconds(20) } == true, "\(times)")
            }
        }

        @Test(arguments: TransportUnderTest.allCases, ["GET", "PUT"])
        func `a task that is already cancelled opens no connection`(
            transport: TransportUnderTest,
            method: String
        ) async throws {
            try await withFaultServer(.validResponse) { server, url in
                let networking = try transport.make()

                await #expect(throws: CancellationError.self) {
                    try await withThrowingTaskGroup(of: NetworkResponse.self) { group in
                        group.cancelAll()
                        group.addTask { try await networking.response(for: .to(url, method)) }
                        _ = try await group.next()
                    }
                }

                _ = try await networking.response(for: .to(url))
                #expect(server.connectionCount == 1)
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `cancelling one of two requests does not affect the other`(
            transport: TransportUnderTest
        ) async throws {
            try await withFaultServer({ request, connection in
                if request.target.hasSuffix("slow") { return try await connection.hang() }
                try await connection.respond()
            }) { server, url in
                let networking = try transport.make()
                let slow = Task {
                    try await networking.response(for: .to(url.appending(path: "slow")))
                }
                try await server.waitForRequests(1)

                slow.cancel()
                let response = try await networking.response(for: .to(url))

                #expect(response.statusCode == 200)
                await #expect(throws: CancellationError.self) { try await slow.value }
            }
        }

        /// Cancels 100 tasks after 0.1 to 8 ms each, 200 times, in a process that must exit normally.
        @Test(arguments: TransportUnderTest.allCases, ["GET", "PUT"])
        func `cancelling many concurrent requests is safe`(
            transport: TransportUnderTest,
            method: String
        ) async {
            await #expect(processExitsWith: .success) { [transport, method] in
                try await MassCancellation.run(200, method: method, over: transport)
            }
        }

        /// Cancels ten requests that the server has received, and waits until each connection is closed.
        ///
        /// - Returns: The time from the cancellation of each to its error.
        private func times(
            of method: String,
            to fault: Fault,
            over transport: TransportUnderTest
        ) async throws -> [Duration] {
            try await withFaultServer(fault) { server, url in
                let networking = try transport.make()
                var times: [Duration] = []
                for number in 1...10 {
                    let exchange = Task { try await networking.response(for: .to(url, method)) }
                    try await server.waitForRequests(number)
                    let start = ContinuousClock.now

                    exchange.cancel()
                    await #expect(throws: CancellationError.self) { try await exchange.value }

                    times.append(start.duration(to: .now))
                    try await server.waitForClosedConnections(number)
                }
                return times
            }
        }
    }
}

private enum MassCancellation {
    static func run(
        _ count: Int,
        method: String,
        over transport: TransportUnderTest
    ) async throws {
        try await withFaultServer(
            { request, connection in
                if request.target.hasSuffix("7") { return try await connection.hang() }
                try await connection.respond()
            },
            recordsRequests: false
        ) { server, url in
            let networking = try transport.make()
            for _ in 1...count {
                await withDiscardingTaskGroup { group in
                    for number in 1...100 {
                        let url = url.appending(path: "\(number)")
                        let task = Task { try await networking.response(for: .to(url, method)) }
                        group.addTask {
                            try? await Task.sleep(for: .microseconds(100 + 79 * number))
                            task.cancel()
                            switch await task.result {
                            case .success(let response): #expect(response.statusCode == 200)
                            case .failure(let error): #expect(error is CancellationError)
                            }
                        }
                    }
                }
            }
            let response = try await networking.response(for: .to(url, method))
            #expect(response.statusCode == 200)
        }
    }
}
