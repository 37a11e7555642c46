#if os(Linux) && canImport(Glibc)
import FaultServer
import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import ProductKit
import Testing

extension MeasuredTests {
    /// The parts of `CurlTransport` that the other transports do not have.
    @Suite(.timeLimit(.minutes(5))) struct CurlTransportTests {
        @Test func `requests that wait for one server do not delay those to another`() async throws
        {
            // More requests than the transfers to one server, so that some of these wait, too.
            let transfers = Gate()
            let slow: FaultServer.Handler = { _, connection in
                if connection.number == 32 { transfers.open() }
                await transfers.wait()
                try await connection.respond()
            }
            try await withFaultServer(.hangsBeforeTheHead) { hanging, hangingURL in
                try await withFaultServer(slow) { _, url in
                    let networking = try CurlTransport(deadline: .seconds(600))
                    let waiting = (1...500).map { _ in
                        Task { try await networking.response(for: .to(hangingURL)) }
                    }
                    try await hanging.waitForRequests(32)

                    let statuses = await withTaskGroup(of: Int?.self) { group in
                        for _ in 1...100 {
                            var request = URLRequest.to(url)
                            request.timeoutInterval = 60
                            group.addTask { [request] in
                                try? await networking.response(for: request).statusCode
                            }
                        }
                        return await group.reduce(into: []) { $0.append($1) }
                    }

                    #expect(statuses == Array(repeating: 200, count: 100))
                    #expect(hanging.connectionCount == 32)
                    for task in waiting { task.cancel() }
                }
            }
        }

        @Test(arguments: [(0, 1), (2, 2), (40, 40)])
        func `the number of requests in flight to one server is limited`(
            maximum: Int,
            expected: Int
        ) async throws {
            try await withFaultServer(.hangsBeforeTheHead) { server, url in
                let networking = SystemTransport(
                    deadline: .seconds(600),
                    maximumRequestsPerOrigin: maximum
                )
                let waiting = (1...50).map { _ in
                    Task { try await networking.response(for: .to(url)) }
                }
                try await server.waitForRequests(expected)
                // Another server is not affected.
                try await withFaultServer(.validResponse) { _, url in
                    _ = try await networking.response(for: .to(url))
                }

                #expect(server.connectionCount == expected)
                for task in waiting { task.cancel() }
            }
        }

        @Test func `a connection is free again after its request is cancelled or late`()
            async throws
        {
            let hangsAtFirst: FaultServer.Handler = { request, connection in
                guard request.target == "/v1" else { return try await connection.respond() }
                try await connection.hang()
            }
            try await withFaultServer(hangsAtFirst) { server, url in
                let networking = try CurlTransport(deadline: .seconds(600))
                let waiting = (1...200).map { number in
                    var request = URLRequest.to(url)
                    if number % 2 == 0 { request.timeoutInterval = 0.2 }
                    return Task { [request] in try await networking.response(for: request) }
                }
                try await server.waitForRequests(32)
                for task in waiting { task.cancel() }
                for task in waiting { _ = await task.result }

                let last = URLRequest.to(url.appending(path: "last"))
                let response = try await Timeout.run(.seconds(60)) {
                    try await networking.response(for: last)
                }
                #expect(response.statusCode == 200)
            }
        }

        @Test func `a request whose deadline is over as it starts ends`() async throws {
            try await withFaultServer(.hangsBeforeTheHead) { _, url in
                let networking = try CurlTransport()
                let tasks = (1...10_000).map { number in
                    var request = URLRequest.to(url)
                    request.timeoutInterval = Double(number % 20 + 1) / 1e6
                    return Task { [request] in
                        try await NetworkError.code { try await networking.response(for: request) }
                    }
                }
                let timeout = Task {
                    try await Task.sleep(for: .seconds(60))
                    for task in tasks { task.cancel() }
                }
                var codes: Set<NetworkError.Code?> = []
                for task in tasks { codes.insert(try? await task.value) }
                timeout.cancel()

                #expect(codes == [.timedOut])
            }
        }

        @Test(arguments: ["GET", "HEAD", "DELETE"])
        func `a request over stale connections arrives at most twice`(method: String) async throws {
            // All connections must be open at the same time.
            let connections = Gate()
            let closesAtSecondRequest: FaultServer.Handler = { request, connection in
                guard request.isFirst else { return try connection.close() }
                if connection.number == 8 { connections.open() }
                await connections.wait()
                try await connection.respond(body: Data())
            }
            try await withFaultServer(closesAtSecondRequest) { server, url in
                let networking = try CurlTransport()
                try await withThrowingDiscardingTaskGroup { group in
                    for _ in 1...8 {
                        group.addTask { _ = try await networking.response(for: .to(url)) }
                    }
                }
                let count = server.requests.count

                let response = try await networking.response(for: .to(url, method))

                #expect(response.statusCode == 200)
                #expect((1...2).contains(server.requests.count - count))
            }
        }

        @Test(arguments: ["gzip, chunked", "gzip, gzip, chunked", "gzip", "deflate,chunked"])
        func `a transfer coding other than chunked is unreadable`(coding: String) async throws {
            try await withFaultServer({ _, connection in
                try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n")
                try await connection.hang()
            }) { _, url in
                let code = try await NetworkError.code {
                    try await CurlTransport().response(for: .to(url))
                }

                #expect(code == .unreadable)
            }
        }

        #if !THREAD_SANITIZER
        @Test func `a transport that is released closes its files`() async {
            await #expect(processExitsWith: .success) {
                try await withFaultServer(.hangsBeforeTheHead) { _, url in
                    let before = try Memory.openFiles()
                    for _ in 1...100 {
                        let networking = try CurlTransport()
                        let task = Task { try await networking.response(for: .to(url)) }
                        await Task.yield()
                        task.cancel()
                        _ = await task.result
                    }

                    let more = try await Memory.wait(
                        for: { try Memory.openFiles() - before },
                        atMost: 20
                    )
                    #expect(more <= 20)
                }
            }
        }
        #endif

        /// Without the option for the method, libcurl would send a `GET`.
        @Test func `a request is not sent if libcurl refuses one of its options`() async throws {
            try await withFaultServer(.validResponse) { server, url in
                let networking = try CurlTransport()
                let request = URLRequest.to(url, String(repeating: "A", count: 9_000_000))

                let code = try await NetworkError.code {
                    try await networking.response(for: request)
                }

                #expect(code == .invalidRequest)
                #expect(server.requests.isEmpty)
                #expect(try await networking.response(for: .to(url)).statusCode == 200)
                #expect(server.requests.map(\.method) == ["GET"])
            }
        }

        @Test(arguments: ["GET", "PUT"])
        func `a status line that is too large for libcurl is too large`(method: String) async throws
        {
            try await withFaultServer({ _, connection in
                let phrase = String(repeating: "a", count: 200_000)
                try await connection.send("HTTP/1.1 200 \(phrase)\r\n\r\n")
                try await connection.hang()
            }) { _, url in
                let code = try await NetworkError.code {
                    try await CurlTransport().response(for: .to(url, method))
                }

                #expect(code == .tooLarge)
            }
        }

        /// With a second stale connection, the request is sent again in another transfer.
        @Test(
            arguments: [("DELETE", NetworkError.Code.connectionLost), ("GET", .unreachable)],
            [1, 2]
        )
        func `a request that cannot be sent again may have arrived`(
            request: (method: String, code: NetworkError.Code),
            connections: Int
        ) async throws {
            try await withLastConnections(connections) { url in
                let networking = try CurlTransport()
                try await withThrowingDiscardingTaskGroup { group in
                    for _ in 1...connections {
                        group.addTask { _ = try await networking.response(for: .to(url)) }
                    }
                }

                let code = try await NetworkError.code {
                    try await networking.response(for: .to(url, request.method))
                }

                #expect(code == request.code)
            }
        }

        @Test func `a request header that is too large for libcurl is invalid`() async throws {
            try await withFaultServer(.validResponse) { server, url in
                var request = URLRequest.to(url)
                request.setValue(
                    String(repeating: "a", count: 4 << 20),
                    forHTTPHeaderField: "X-Large"
                )

                let code = try await NetworkError.code { [request] in
                    try await CurlTransport().response(for: request)
                }

                #expect(code == .invalidRequest)
                #expect(server.requests.isEmpty)
            }
        }
    }
}

/// A gate at which handlers of a server wait until it is opened.
private struct Gate {
    private let isClosed = Task { try await Task.sleep(for: .seconds(600)) }

    func open() {
        isClosed.cancel()
    }

    func wait() async {
        _ = await isClosed.result
    }
}

/// Serves some connections, and closes each at its second request.
///
/// The first requests get their responses when all connections are open. Then others are refused.
private func withLastConnections(_ count: Int, _ body: (URL) async throws -> Void) async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
    let port = listener.channel.localAddress?.port ?? 0
    let server = Task {
        try await listener.executeThenClose { connections in
            var open: [NIOAsyncChannel<ByteBuffer, ByteBuffer>] = []
            for try await connection in connections {
                open.append(connection)
                guard open.count == count else { continue }
                try await listener.channel.close()
                try await withThrowingDiscardingTaskGroup { group in
                    for connection in open { group.addTask { try await serve(connection) } }
                }
            }
        }
    }
    defer { server.cancel() }
    try await body(#require(URL(string: "http://127.0.0.1:\(port)/v1")))
}

private func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
    try await connection.executeThenClose { requests, responses in
        var requests = requests.makeAsyncIterator()
        _ = try await requests.next()
        let response = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        try await responses.write(response)
        _ = try await requests.next()
    }
}
#endif
