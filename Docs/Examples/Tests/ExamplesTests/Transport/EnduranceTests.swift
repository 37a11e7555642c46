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
        @Test func `20,000 consecutive GET requests leave nothing behind`() async {
            await #expect(processExitsWith: .success) {
                try await Endurance.measure(warmUp: 1_000, with: "GET") { transport, url in
                    for _ in 1...20_000 { _ = try await transport.response(for: .to(url)) }
                }
            }
        }

        @Test func `2,000 consecutive PUT requests leave nothing behind`() async {
            await #expect(processExitsWith: .success) {
                try await Endurance.measure(warmUp: 1_000, with: "PUT") { transport, url in
                    for _ in 1...2_000 { _ = try await transport.response(for: .to(url, "PUT")) }
                }
            }
        }

        @Test(arguments: ["GET", "PUT"])
        func `5,000 concurrent requests all get responses and leave nothing behind`(
            method: String
        ) async {
            if method == "GET" {
                await #expect(processExitsWith: .success) {
                    try await Endurance.measure(warmUp: 5_000, with: "GET") { transport, url in
                        try await Endurance.sendConcurrently(5_000, "GET", over: transport, to: url)
                    }
                }
            } else {
                await #expect(processExitsWith: .success) {
                    try await Endurance.measure(warmUp: 5_000, with: "PUT") { transport, url in
                        try await Endurance.sendConcurrently(5_000, "PUT", over: transport, to: url)
                    }
                }
            }
        }

        @Test func `500 released transports leave nothing behind`() async {
            await #expect(processExitsWith: .success) {
                try await Endurance.measure(warmUp: 100, with: "GET") { _, url in
                    for _ in 1...500 {
                        _ = try await URLSessionTransport().response(for: .to(url))
                    }
                }
            }
        }
    }
}

private enum Endurance {
    static func measure(
        warmUp count: Int,
        with method: String,
        _ load: (URLSessionTransport, URL) async throws -> Void
    ) async throws {
        try await withFaultServer(
            Fault.validResponse.handler,
            recordsRequests: false
        ) { server, url in
            let transport = URLSessionTransport()
            try await sendConcurrently(count, method, over: transport, to: url)
            if method == "PUT" { try await server.waitForClosedConnections(count) }
            let files = try Memory.openFiles()
            let bytes = Memory.inUse()

            try await load(transport, url)

            let moreFiles = try await Memory.openFiles(waitingFor: files + 16) - files
            #expect(moreFiles <= 16, "\(moreFiles) files more")
            let moreBytes = Memory.inUse() - bytes
            #expect(moreBytes < 10 << 20, "\(moreBytes) bytes more")
        }
    }

    static func sendConcurrently(
        _ count: Int,
        _ method: String,
        over transport: URLSessionTransport,
        to url: URL
    ) async throws {
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...count {
                group.addTask {
                    try await transport.response(for: .to(url, method)).statusCode
                }
            }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: count])
    }
}
#endif
