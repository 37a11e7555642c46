import FaultServer
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Rule: security/nothing-kept-by-default (29)
/// The transport stores nothing between requests, in memory or on disk.
@Suite(.timeLimit(.minutes(5))) struct PrivacyTests {
    @Test(arguments: TransportUnderTest.allCases)
    func `cookies are neither stored nor sent, except a Cookie field of the request`(
        transport: TransportUnderTest
    )
        async throws
    {
        try await withFaultServer({ _, connection in
            try await connection.respond(headers: ["Set-Cookie: id=42; Max-Age=3600; Path=/"])
        }) { server, url in
            let networking = try transport.make()
            _ = try await networking.response(for: .to(url))
            _ = try await networking.response(for: .to(url))
            var request = URLRequest.to(url)
            request.setValue("mine=1", forHTTPHeaderField: "Cookie")
            _ = try await networking.response(for: request)

            #expect(server.requests.map { $0.header("Cookie") } == [nil, nil, "mine=1"])
            #expect(HTTPCookieStorage.shared.cookies(for: url)?.isEmpty ?? true)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `responses are not cached, and requests are not conditional`(
        transport: TransportUnderTest
    ) async throws {
        try await withFaultServer({ _, connection in
            try await connection.respond(
                headers: ["Cache-Control: max-age=3600", #"ETag: "1""#],
                body: Data("\(connection.number)".utf8)
            )
        }) { server, url in
            let networking = try transport.make()
            _ = try await networking.response(for: .to(url))
            _ = try await networking.response(for: .to(url))

            #expect(server.requests.count == 2)
            #expect(server.requests.allSatisfy { $0.header("If-None-Match") == nil })
        }
    }

    @Test(arguments: TransportUnderTest.allCases) func `credentials are not stored`(
        transport: TransportUnderTest
    ) async throws {
        try await withFaultServer(.challenge(401, #"Basic realm="shop""#)) { server, url in
            let networking = try transport.make()
            var request = URLRequest.to(url)
            request.setValue("Basic c2hvcDpzZWNyZXQ=", forHTTPHeaderField: "Authorization")
            _ = try await networking.response(for: request)
            _ = try await networking.response(for: .to(url))

            #expect(server.requests.map { $0.header("Authorization") != nil } == [true, false])
        }
    }

    @Test(arguments: TransportUnderTest.allCases) func `nothing is written to disk`(
        transport: TransportUnderTest
    ) async throws {
        let before = try Set(filesOfThisProgram())
        try await withFaultServer({ _, connection in
            try await connection.respond(
                headers: [
                    "Set-Cookie: id=42; Max-Age=3600", "Cache-Control: max-age=3600", #"ETag: "1""#,
                ]
            )
        }) { _, url in
            _ = try await transport.make().response(for: .to(url))
        }

        #expect(try Set(filesOfThisProgram()) == before)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func `an error contains no token, header field or query`(
        transport: TransportUnderTest
    ) async throws {
        try await withFaultServer(.closesBeforeTheHead) { _, url in
            var request = URLRequest.to(
                url.appending(queryItems: [.init(name: "token", value: canary)])
            )
            request.setValue("Bearer \(canary)", forHTTPHeaderField: "Authorization")
            request.setValue(canary, forHTTPHeaderField: "X-Api-Key")

            let error = await #expect(throws: NetworkError.self) {
                try await transport.make().response(for: request)
            }

            var dump = ""
            _ = error.map { Swift.dump($0, to: &dump) }
            #expect(!dump.isEmpty)
            let texts = [
                dump, error.map { String(reflecting: $0) } ?? "", "\(error as Any)",
                error?.localizedDescription ?? "",
            ]
            #expect(texts.allSatisfy { !$0.contains(canary) })
        }
    }

    private let canary = "canary-7d1f"

    /// The files of this process in the folders for cookies, caches and credentials.
    private func filesOfThisProgram() throws -> [String] {
        let manager = FileManager.default
        let folders = [
            FileManager.SearchPathDirectory.cachesDirectory, .applicationSupportDirectory,
        ]
        .flatMap { manager.urls(for: $0, in: .userDomainMask) }
        let name = ProcessInfo.processInfo.processName
        // On Linux, URLSession creates an empty folder for its cache when it is first used.
        return folders.flatMap { folder in
            ((try? manager.subpathsOfDirectory(atPath: folder.path)) ?? [])
                .map { folder.appending(path: $0) }
        }
        .filter { $0.path.contains(name) && !$0.hasDirectoryPath }
        .map(\.path)
    }
}
