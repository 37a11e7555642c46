#if canImport(Glibc) && !THREAD_SANITIZER
import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MeasuredTests {
    /// Sends random responses to a transport, 16 at a time, in a process of its own.
    ///
    /// If `PRODUCTKIT_FUZZ_SECONDS` is set, 20,000 responses instead of 1,000.
    @Suite(.timeLimit(.minutes(20))) struct FuzzTests {
        @Test(arguments: TransportUnderTest.all(without: .endsProcess))
        func `random responses end as responses or as errors of the transport`(
            transport: TransportUnderTest
        ) async {
            await #expect(processExitsWith: .success) { [transport] in
                try await Fuzz.run(transport)
            }
        }

        @Test(
            .tags(.timing),
            .timed,
            arguments: TransportUnderTest.all(without: .endsProcess)
        )
        func `random responses end in time`(transport: TransportUnderTest) async {
            await #expect(processExitsWith: .success) { [transport] in
                try await Fuzz.run(transport, limit: .seconds(3))
            }
        }
    }
}

private enum Fuzz {
    private static let count =
        ProcessInfo.processInfo.environment["PRODUCTKIT_FUZZ_SECONDS"] == nil ? 1_000 : 20_000

    /// Loads the responses, each in less than the limit, if there is one.
    static func run(_ transport: TransportUnderTest, limit: Duration? = nil) async throws {
        Memory.overwriteFreedMemory()
        try await withFaultServer(send, recordsRequests: false) { _, url in
            let networking = try transport.make(
                maximumBodySize: 1 << 20,
                deadline: .milliseconds(500)
            )
            for number in 0..<100 { await load(number, networking, url, limit) }
            let memory = Memory.inUse()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    if number >= 16 { await group.next() }
                    group.addTask { await load(number, networking, url, limit) }
                }
            }

            #expect(Memory.inUse() - memory < 64 << 20)
            #expect(try Memory.peak() < 512 << 20)
        }
    }

    private static let send: FaultServer.Handler = { request, connection in
        let number = Int(request.target.split(separator: "/").last ?? "") ?? 0
        let response = RandomResponse(number: number)
        try await connection.send(Data(response.bytes))
        if response.closes { try connection.close() }
        try await connection.hang()
    }

    /// Loads a response, and expects that an error is a `NetworkError`.
    private static func load(
        _ number: Int,
        _ networking: any Networking,
        _ url: URL,
        _ limit: Duration?
    ) async {
        let url = url.appending(path: "\(number)")
        let start = ContinuousClock.now
        do {
            _ = try await networking.response(for: .to(url, number % 4 == 0 ? "PUT" : "GET"))
        } catch {
            #expect(error is NetworkError, "response \(number)")
        }
        if let limit { #expect(start.duration(to: .now) < limit, "response \(number)") }
    }
}
#endif
