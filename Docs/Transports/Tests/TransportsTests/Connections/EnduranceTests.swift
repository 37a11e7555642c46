#if canImport(Glibc) && !THREAD_SANITIZER
import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MeasuredTests {
    /// Many requests leave no connections, memory or tasks behind.
    @Suite(.timeLimit(.minutes(5))) struct EnduranceTests {
        @Test func `memory in use is counted`() async {
            await #expect(processExitsWith: .success) {
                let before = Memory.inUse()
                let bytes = [UInt8](repeating: 1, count: 1 << 20)
                #expect(Memory.inUse() - before >= bytes.count)
            }
        }

        @Test(arguments: TransportUnderTest.allCases, [("GET", 4_000), ("PUT", 1_000)])
        func `thousands of consecutive requests leave nothing behind`(
            transport: TransportUnderTest,
            requests: (method: String, count: Int)
        ) async {
            await #expect(processExitsWith: .success) {
                [transport, method = requests.method as String, count = requests.count as Int] in
                try await Endurance(transport, method).measure(warmUp: 500) { networking, url in
                    for _ in 1...count {
                        _ = try await networking.response(for: .to(url, method))
                    }
                }
            }
        }

        @Test(arguments: TransportUnderTest.allCases, ["GET", "PUT"])
        func `a thousand concurrent requests all get responses and leave nothing behind`(
            transport: TransportUnderTest,
            method: String
        ) async {
            await #expect(processExitsWith: .success) { [transport, method] in
                let endurance = Endurance(transport, method)
                try await endurance.measure(warmUp: 1_000) { networking, url in
                    try await endurance.sendConcurrently(1_000, over: networking, to: url)
                }
            }
        }

        @Test(arguments: TransportUnderTest.allCases)
        func `200 released transports leave nothing behind`(transport: TransportUnderTest) async {
            await #expect(processExitsWith: .success) { [transport] in
                try await Endurance(transport, "GET").measure(warmUp: 100) { _, url in
                    for _ in 1...200 {
                        _ = try await transport.make().response(for: .to(url))
                    }
                }
            }
        }
    }
}

/// Requests whose files and memory are counted.
private struct Endurance {
    let transport: TransportUnderTest
    let method: String

    init(_ transport: TransportUnderTest, _ method: String) {
        self.transport = transport
        self.method = method
    }

    func measure(
        warmUp count: Int,
        _ load: (any Networking, URL) async throws -> Void
    ) async throws {
        try await withFaultServer(
            Fault.validResponse.handler,
            recordsRequests: false
        ) { server, url in
            let networking = try transport.make()
            try await sendConcurrently(count, over: networking, to: url)
            if method == "PUT", transport.has(.limitsWrites) {
                try await server.waitForClosedConnections(count)
            }
            let files = try Memory.openFiles()
            let bytes = Memory.inUse()

            try await load(networking, url)

            let moreFiles = try await Memory.wait(
                for: { try Memory.openFiles() - files },
                atMost: 16
            )
            #expect(moreFiles <= 16, "\(moreFiles) files more")
            let limit =
                switch transport {
                case .curl: 1 << 20
                // URLSession keeps about 300 bytes for each request.
                case .urlSession: 4 << 20
                // The timers of AsyncHTTPClientNetworking are freed at their deadlines.
                case .asyncHTTPClient: 16 << 20
                }
            let moreBytes = try await Memory.wait(for: { Memory.inUse() - bytes }, atMost: limit)
            #expect(moreBytes <= limit, "\(moreBytes) bytes more")
        }
    }

    func sendConcurrently(
        _ count: Int,
        over networking: any Networking,
        to url: URL
    ) async throws {
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...count {
                group.addTask {
                    try await networking.response(for: .to(url, method)).statusCode
                }
            }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: count])
    }
}
#endif
