import AsyncHTTPClient
import AsyncHTTPClientNetworking
import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One way of sending a request.
struct Contestant: Sendable {
    /// What it is called.
    let name: String
    private let load: @Sendable () async throws -> Int

    /// Everybody who takes part; the first one is the measure of the others.
    static func all(at address: URL) -> [Contestant] {
        let request = URLRequest(url: address)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        let session = URLSession(configuration: configuration)
        return [
            Contestant(name: "lean") { try await session.data(for: request).0.count },
            Contestant("URLSessionTransport", URLSessionTransport(), request),
            Contestant(
                "AsyncHTTPClientNetworking",
                AsyncHTTPClientNetworking(HTTPClient.shared),
                request
            ),
        ]
    }

    private init(name: String, load: @escaping @Sendable () async throws -> Int) {
        self.name = name
        self.load = load
    }

    private init(_ name: String, _ networking: some Networking, _ request: URLRequest) {
        self.init(name: name) { try await networking.response(for: request).body.count }
    }

    /// Sends requests, so many at a time.
    ///
    /// - Throws: What the transport throws.
    func send(_ count: Int, width: Int) async throws {
        try await withThrowingTaskGroup { group in
            for first in 0..<width {
                group.addTask {
                    for _ in stride(from: first, to: count, by: width) {
                        guard try await load() == Serving.body.utf8.count else {
                            throw URLError(.cannotParseResponse)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
