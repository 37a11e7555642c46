#if canImport(Glibc) && !THREAD_SANITIZER
import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MeasuredTests {
    /// Servers that keep a client busy or waiting do not delay requests to other servers.
    @Suite(.timeLimit(.minutes(5))) struct StallTests {
        @Test(arguments: TransportUnderTest.all(without: .stallsProcess), Stall.allCases)
        func `other requests succeed while a server keeps the client busy`(
            transport: TransportUnderTest,
            stall: Stall
        ) async {
            await #expect(processExitsWith: .success) { [transport, stall] in
                _ = try await stall.times(over: transport)
            }
        }

        @Test(.tags(.timing), .timed, arguments: TransportUnderTest.allCases, Stall.allCases)
        func `a server that keeps the client busy does not delay other requests`(
            transport: TransportUnderTest,
            stall: Stall
        ) async {
            await withKnownIssue(isIntermittent: true) {
                await #expect(processExitsWith: .success) { [transport, stall] in
                    try await stall.checkTimes(over: transport)
                }
            } when: {
                transport.has(.stallsProcess)
            }
        }
    }
}

/// Something that keeps a client busy or waiting.
enum Stall: String, CaseIterable, Codable {
    case endlessChunks
    case endlessInformational
    case shortFields
    case gzipBombInGzip
    case hangingWrites
    case slowNameLookup

    /// Expects that the exchange ends on time and does not delay other requests.
    func checkTimes(over transport: TransportUnderTest) async throws {
        let start = ContinuousClock.now

        let times = try await times(over: transport, limit: .seconds(5))

        #expect(start.duration(to: .now) < .seconds(4))
        // The server of the test is busy, too, and can delay a few of the other requests.
        #expect(times.sorted()[times.count / 2] < .milliseconds(300))
        #expect(times.allSatisfy { $0 < .seconds(2) })
    }

    /// Expects that the exchange ends with an error and uses limited memory.
    ///
    /// - Parameters:
    ///   - transport: The transport.
    ///   - limit: The time after which another request is a failure, because it would hang.
    /// - Returns: The times of fifty other requests, which are sent meanwhile.
    /// - Throws: An error of another request.
    func times(
        over transport: TransportUnderTest,
        limit: Duration = .seconds(60)
    ) async throws -> [Duration] {
        try await withFaultServer(fault) { _, faultyURL in
            try await withFaultServer(.validResponse) { _, url in
                let networking = try transport.make()
                _ = try await networking.response(for: .to(url))
                let memory = try Memory.peak()
                let exchanges = try startExchanges(over: networking, with: faultyURL)
                var times: [Duration] = []
                for number in 1...50 {
                    let start = ContinuousClock.now
                    let request = URLRequest.to(url, number % 2 == 0 ? "GET" : "PUT")
                    _ = try await Timeout.run(limit) {
                        try await networking.response(for: request)
                    }
                    times.append(start.duration(to: .now))
                    try await Task.sleep(for: .milliseconds(25))
                }
                for exchange in exchanges {
                    let code = await exchange.value
                    #expect(code == .timedOut || code == .tooLarge || code == .unreadable)
                }

                #expect(try Memory.peak() - memory < 64 << 20)
                return times
            }
        }
    }

    private var fault: Fault {
        switch self {
        case .endlessChunks: .endlessChunks
        case .endlessInformational: .endlessInformational
        case .shortFields: .shortFields
        case .gzipBombInGzip: .gzipBombInGzip
        case .hangingWrites, .slowNameLookup: .hangsBeforeTheHead
        }
    }

    /// Starts the exchanges, which end with an error code.
    private func startExchanges(
        over networking: any Networking,
        with faultyURL: URL
    ) throws -> [Task<NetworkError.Code?, Never>] {
        // CInterposition makes the lookup of this name slow.
        let slowURL = try #require(URL(string: "https://slow.invalid/v1"))
        let (url, method, count) =
            switch self {
            case .slowNameLookup: (slowURL, "GET", 1)
            case .hangingWrites: (faultyURL, "PUT", 40)
            default: (faultyURL, "GET", 1)
            }
        var request = URLRequest.to(url, method)
        request.timeoutInterval = 1
        return (1...count).map { [request] _ in
            Task {
                do {
                    _ = try await networking.response(for: request)
                    return nil
                } catch { return (error as? NetworkError)?.code }
            }
        }
    }
}
#endif
