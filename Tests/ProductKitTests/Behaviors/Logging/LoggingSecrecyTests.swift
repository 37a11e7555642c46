import Foundation
import ProductKit
import Synchronization
import Testing

// Rule: security/no-token-in-text (15); security/no-url-secrets-in-text (16)
/// Tests that the log never contains a secret.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LoggingSecrecyTests {
    // Rule: security/no-token-in-text (15); security/no-url-secrets-in-text (16)
    @Test(arguments: [
        "https://canary:canary@api.example.com/v1/x", "https://canary@api.example.com/v1/x",
        "https://api.example.com/v1/x?access_token=canary&q=boots",
        "https://api.example.com/v1/x?API_KEY=canary", "https://api.example.com/v1/x?sig=canary",
        "https://api.example.com/v1/x?client_secret=canary&password=canary",
        "https://api.example.com/v1/x#access_token=canary",
    ])
    func `secrets of a URL are not logged`(address: String) async throws {
        let request = OutgoingRequest("GET", try #require(URL(string: address)))

        for outcome in outcomes {
            let text = await text(of: request) { _ in try outcome.get() }

            #expect(!text.contains("canary"))
            #expect(text.contains("api.example.com/v1/x"))
        }
    }

    // Rule: security/no-token-in-text (15); security/no-url-secrets-in-text (16)
    @Test(arguments: ["Authorization", "Cookie", "X-Api-Key", "Idempotency-Key", "X-Anything"])
    func `header fields are not logged`(name: String) async throws {
        let request = OutgoingRequest("POST", headers: [name: "canary"])

        for outcome in outcomes {
            #expect(await !text(of: request) { _ in try outcome.get() }.contains("canary"))
        }
    }

    // Rule: security/no-token-in-text (15)
    @Test func `bodies are not logged`() async throws {
        var request = OutgoingRequest("PUT")
        request.body = Data("canary".utf8)

        let text = await text(of: request) { _ in
            NetworkResponse(headers: ["Set-Cookie": "canary"], body: Data("canary".utf8))
        }

        #expect(!text.contains("canary"))
    }

    // Rule: security/no-url-secrets-in-text (16)
    @Test func `a query item that is not secret is logged`() async throws {
        let url = URL.api.appending(queryItems: [URLQueryItem(name: "q", value: "boots")])

        let text = await text(of: OutgoingRequest("GET", url)) { _ in NetworkResponse() }

        #expect(text.contains("https://api.example.com/v1?q=boots"))
    }

    // Rule: security/no-token-in-text (15)
    @Test(arguments: [true, false])
    func `tokens are not logged, whether refreshed or rejected`(isRefreshed: Bool) async throws {
        let log = Mutex<[NetworkEvent]>([])
        let logging = LoggingBehavior { event in log.withLock { $0.append(event) } }
        let refresh: @Sendable (AccessToken) async throws -> AccessToken = { _ in
            guard isRefreshed else { throw NetworkError(NetworkResponse(statusCode: 400)) }
            return "canary two"
        }

        for isOutside in [true, false] {
            let token = TokenBehavior(effects: .stopped, token: { "canary" }, refresh: refresh)
            let stack: [any RequestBehavior] = isOutside ? [logging, token] : [token, logging]
            _ = try? await ClosureBehavior.stack(stack)
                .send { request in
                    NetworkResponse(statusCode: 401, body: Data((request.token ?? "").utf8))
                }
        }

        #expect(log.withLock { $0.count } >= 4)
        #expect(!log.withLock { text(of: $0) }.contains("canary"))
    }

    private let outcomes: [Result<NetworkResponse, any Error>] = [
        .success(NetworkResponse()),
        .success(NetworkResponse(statusCode: 500, body: Data("canary".utf8))),
        .failure(URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "canary"])),
        .failure(UnsupportedOperation("canary")),
        .failure(CancellationError()),
    ]

    private func text(
        of request: OutgoingRequest,
        _ respond: @escaping @Sendable (URLRequest) throws -> NetworkResponse
    ) async -> String {
        let log = Mutex<[NetworkEvent]>([])
        let logging = LoggingBehavior { event in log.withLock { $0.append(event) } }
        _ = try? await logging.send(request) { try respond($0) }
        #expect(log.withLock { $0.count } == 2)
        return log.withLock { text(of: $0) }
    }

    private func text(of events: [NetworkEvent]) -> String {
        var text = events.map(\.description).joined(separator: "\n") + String(reflecting: events)
        dump(events, to: &text)
        return text
    }
}
