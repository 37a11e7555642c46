#if canImport(Glibc) && !THREAD_SANITIZER
import Foundation
import NIOHPACK
import NIOHTTP2
import ProductKit
import SecuredServer
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Faults of servers that use HTTP/2 (RFC 9113).
@Suite(.serialized, .timeLimit(.minutes(5))) struct HTTP2Tests {
    @Test(arguments: TransportUnderTest.allCases.filter { $0.has(.usesHTTP1) })
    func `nothing is sent to a server that supports only HTTP/2`(
        transport: TransportUnderTest
    ) async throws {
        try await withServer({ _ in .status("200", "{}") }) { server, url in
            let code = try await NetworkError.code {
                try await transport.make().response(for: .to(url))
            }

            #expect(code != nil)
            #expect(server.requestCount == 0)
        }
    }

    @Test(arguments: TransportUnderTest.all(without: .usesHTTP1), [200, 418, 503])
    func `a valid status is returned`(transport: TransportUnderTest, status: Int) async throws {
        try await withServer({ _ in .status("\(status)", "{}") }) { server, url in
            let networking = try transport.make()
            for method in ["GET", "PUT"] {
                let response = try await networking.response(for: .to(url, method))

                #expect(response.statusCode == status)
                #expect(response.body == Data("{}".utf8))
            }
            #expect(server.requestCount == 2)
        }
    }

    @Test(
        arguments: TransportUnderTest.all(without: .usesHTTP1),
        ["-1", "000", "099", "1e3", "4xx"]
    )
    func `an invalid status is an error, and the transport is still usable`(
        transport: TransportUnderTest,
        status: String
    ) async throws {
        try await withServer({ _ in .status(status) }) { _, url in
            let networking = try transport.make()
            for _ in 0..<2 {
                let code = try await NetworkError.code {
                    try await networking.response(for: .to(url))
                }
                let isLost =
                    transport.has(.reportsLessPreciseCodes)
                    || transport.has(.usesLibcurl) && Int(status).map { $0 >= 0 } != true
                #expect(code == (isLost ? .connectionLost : .unreadable))
            }
        }
    }

    @Test(arguments: TransportUnderTest.all(without: .usesHTTP1))
    func `trailer fields are ignored`(transport: TransportUnderTest) async throws {
        guard transport.has(.endsProcess) else { return try await checkTrailers(transport) }
        await withKnownIssue(isIntermittent: true) {
            await #expect(processExitsWith: .success) { [transport] in
                try await checkTrailers(transport)
            }
        }
    }

    @Test(
        arguments: TransportUnderTest.all(without: .usesHTTP1).filter { !$0.has(.stallsProcess) },
        [HTTP2ErrorCode.internalError, .refusedStream, .cancel]
    )
    func `a stream that is reset is an error, and the connection is still usable`(
        transport: TransportUnderTest,
        code: HTTP2ErrorCode
    ) async throws {
        for method in ["GET", "PUT", "POST"] {
            try await withServer({ $0 == 1 ? .reset(code) : .status("200", "{}") }) { server, url in
                let networking = try transport.make()
                let received = try await NetworkError.code {
                    try await networking.response(for: .to(url, method))
                }
                let next = try await networking.response(for: .to(url, method))

                #expect(
                    received == nil || received == .connectionLost,
                    "\(method) \(received as Any)"
                )
                // Only a stream that was refused may be sent again.
                #expect(received != nil || code == .refusedStream || method == "GET")
                #expect(next.statusCode == 200)
            }
        }
    }

    @Test(arguments: TransportUnderTest.all(without: .usesHTTP1))
    func `a write over HTTP/2 gets its response`(transport: TransportUnderTest) async throws {
        try await checkWrites(transport, repliesEarly: false)
    }

    @Test(arguments: TransportUnderTest.all(without: .usesHTTP1))
    func `a response may end before the body of its request has been sent`(
        transport: TransportUnderTest
    ) async throws {
        guard transport.has(.missesEarlyResponses) else {
            return try await checkWrites(transport, repliesEarly: true)
        }
        await withKnownIssue(isIntermittent: true) {
            try await checkWrites(transport, repliesEarly: true)
        }
    }

    @Test(arguments: TransportUnderTest.all(without: .usesHTTP1))
    func `a stream that is reset in the body is incomplete`(
        transport: TransportUnderTest
    ) async throws {
        try await withServer({ _ in
            .responseThenReset([":status": "200", "content-length": "100"], body: "{")
        }) { server, url in
            let code = try await NetworkError.code {
                try await transport.make().response(for: .to(url))
            }

            #expect(code == .incomplete)
            #expect(server.requestCount == 1)
        }
    }

    @Test(arguments: TransportUnderTest.all(without: .usesHTTP1).filter { !$0.has(.stallsProcess) })
    func `a connection that ends with GOAWAY is replaced`(
        transport: TransportUnderTest
    ) async throws {
        for method in ["GET", "PUT"] {
            try await withServer({ $0 == 1 ? .goAway : .status("200", "{}") }) { server, url in
                let networking = try transport.make()
                let received = try await NetworkError.code {
                    try await networking.response(for: .to(url, method))
                }
                let next = try await networking.response(for: .to(url, method))

                #expect(received == nil || received == .connectionLost)
                #expect(next.statusCode == 200)
                #expect(server.connectionCount == 2)
            }
        }
    }

    /// A server can name a field of 300 bytes with one byte, if it is in the dynamic table (RFC 7541).
    @Test(
        arguments: TransportUnderTest.all(without: .usesHTTP1),
        [(1_001, 1, false), (990, 300, true)]
    )
    func `too many or too large header fields are too large`(
        transport: TransportUnderTest,
        fields: (count: Int, valueSize: Int, areEqual: Bool)
    ) async throws {
        let value = String(repeating: "a", count: fields.valueSize)
        let headers = HPACKHeaders(
            [(":status", "200")]
                + (1...fields.count).map { ("x-\(fields.areEqual ? 1 : $0)", value) }
        )
        // The client of AsyncHTTPClientNetworking never returns such a response.
        let deadline = Duration.seconds(transport.has(.limitsEachField) ? 2 : 60)
        try await withServer({ _ in .response(headers) }) { _, url in
            let code = try await NetworkError.code {
                try await transport.make(deadline: deadline).response(for: .to(url))
            }

            let expected: NetworkError.Code =
                transport.has(.limitsEachField)
                ? .timedOut
                : transport.has(.usesLibcurl) && fields.areEqual ? .connectionLost : .tooLarge
            #expect(code == expected)
        }
    }

    @Test(arguments: TransportUnderTest.all(without: .usesHTTP1))
    func `a body that the server never permits is a timeout`(
        transport: TransportUnderTest
    ) async throws {
        try await checkForbiddenBody(transport)
    }

    @Test(.tags(.timing), .timed, arguments: TransportUnderTest.all(without: .usesHTTP1))
    func `a body that the server never permits is a timeout at the deadline`(
        transport: TransportUnderTest
    ) async throws {
        let start = ContinuousClock.now

        try await checkForbiddenBody(transport)

        #expect(start.duration(to: .now) < .seconds(5))
    }
}

private func checkForbiddenBody(_ transport: TransportUnderTest) async throws {
    try await withServer(window: 0, { _ in .nothing }) { _, url in
        let networking = try transport.make(deadline: .milliseconds(500))

        let code = try await NetworkError.code {
            try await networking.response(for: .to(url, "PUT"))
        }

        #expect(code == .timedOut)
    }
}

private func checkTrailers(_ transport: TransportUnderTest) async throws {
    try await withServer({ _ in
        .response([":status": "200"], body: "{}", trailers: ["x-sum": "1"])
    }) { _, url in
        let response = try await transport.make().response(for: .to(url))

        #expect(response.statusCode == 200)
        #expect(response.body == Data("{}".utf8))
    }
}

private func checkWrites(_ transport: TransportUnderTest, repliesEarly: Bool) async throws {
    let reply: @Sendable (Int) -> HTTP2Reply = { _ in .status("200", "{}") }
    try await withServer(repliesEarly: repliesEarly, reply) { server, url in
        // A missed response is a timeout, for which a short deadline suffices.
        let misses = repliesEarly && transport.has(.missesEarlyResponses)
        let networking = try transport.make(deadline: .seconds(misses ? 5 : 60))
        for number in 1...30 {
            let response = try await networking.response(for: .to(url, "PUT"))

            #expect(response.statusCode == 200)
            #expect(server.requestCount == number)
        }
    }
}

private func withServer(
    window: Int = 65_535,
    repliesEarly: Bool = false,
    _ reply: @escaping @Sendable (Int) -> HTTP2Reply,
    _ body: (HTTP2Server, URL) async throws -> Void
) async throws {
    let security = try TestAuthority.trusted().configuration(for: .valid)
    try await withHTTP2Server(security, window: window, repliesEarly: repliesEarly, reply, body)
}
#endif
