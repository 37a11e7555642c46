import Foundation
import ProductKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Automatic persisted queries.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PersistedQueryBehaviorTests {
    private static let hash = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"
    private static let extensions =
        #"{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"#
    private static let query = #"{"query":"{__typename}"}"#
    private static let data = #"{"data":{}}"#
    private let server = GraphQLServer()

    // Rule: reads/hash-replaces-text (8)
    @Test func `a query whose hash is known is sent by its hash over GET`() async throws {
        server.knows("{__typename}")

        let response = try await server.send(Self.query)

        #expect(response.text == Self.data && server.requests.count == 1)
        let request = try #require(server.requests.first)
        #expect(request.httpMethod == "GET" && request.httpBody == nil)
        #expect(request.items == ["extensions": Self.extensions])
        // Apollo Server refuses a GET without it, which a browser could send for another site.
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(request.allHTTPHeaderFields?.keys.count == 1)
    }

    // Rule: reads/hash-replaces-text (8)
    @Test(
        arguments: [
            #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
            #"{"errors":[{"message":"No","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#,
        ],
        [200, 400, 404]
    )
    func `the text is sent once if the hash is not known`(
        failure: String,
        status: Int
    ) async throws {
        server.refuses(with: .text(failure, statusCode: status))

        for _ in 1...2 {
            let response = try await server.send(Self.query)
            #expect(response.text == Self.data && response.url == .api.appending(path: "graphql"))
        }

        #expect(server.requests.map(\.httpMethod) == ["GET", "POST", "GET"])
        #expect(
            server.requests[1].text
                == #"{"extensions":\#(Self.extensions),"query":"{__typename}"}"#
        )
        #expect(server.requests[1].url == .api.appending(path: "graphql"))
    }

    // Rule: reads/hash-replaces-text (8)
    @Test func `variables are sent as they are, and the operation by its name`() async throws {
        server.knows("query Q { a }")
        let variables =
            #"{ "id":"a&b+c=ü","price":19.90,"n":123456789012345678901,"x":[{},"}\"," ]}"#

        _ = try await server.send(
            """
            {"operationName":"Q\\u0021", "variab\\u006Ces" : \(variables) ,
             "query": "query Q { a }"}
            """
        )

        let items = try #require(server.requests.first?.items)
        #expect(items["variables"] == variables + " " && items["operationName"] == "Q!")
        #expect(items.count == 3)
    }

    // Rule: reads/hash-needs-support (9)
    @Test(arguments: [
        "", "[]", "{", "boots", #""query""#, #"{"query":1}"#, #"{"id":"{__typename}"}"#,
        #"{"query":"{__typename}","extensions":{}}"#, #"{"query":"{__typename}""#, "{}", "{,}",
        #"{"query":"{__typename}","variables":"\#(String(repeating: "a", count: 8_000))"}"#,
    ])
    func `a body that is not a short query is sent unchanged`(body: String) async throws {
        _ = try await server.send(body)

        #expect(server.requests.map(\.httpMethod) == ["POST"])
        #expect(server.requests.first?.text == body)
    }

    // Rule: reads/hash-needs-support (9)
    @Test func `a request that is not declared to be a read is sent unchanged`() async throws {
        _ = try await server.send(Self.query, isDeclared: false)
        _ = try await server.send(NetworkRequest<NetworkResponse>.get("graphql"))

        #expect(server.requests.map(\.httpMethod) == ["POST", "GET"])
        #expect(server.requests.map(\.text) == [Self.query, ""])
        #expect(
            server.requests.map(\.url)
                == Array(repeating: .api.appending(path: "graphql"), count: 2)
        )
    }

    // Rule: reads/hash-needs-support (9)
    @Test(arguments: [
        .text(#"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#),
        .text(
            #"{"errors":[{"extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}"#,
            statusCode: 400
        ),
        .text(#"{"errors":[{"message":"Must provide query string."}]}"#, statusCode: 400),
        .text(#"{"errors":[{"message":"Must provide query string."}]}"#), .text("<html>"),
        .text(""),
        .text("Cannot GET /graphql", statusCode: 404),
        NetworkResponse(statusCode: 403), NetworkResponse(statusCode: 405),
        NetworkResponse(statusCode: 501),
    ])
    func `a server that does not support hashes receives only texts afterwards`(
        refusal: NetworkResponse
    ) async throws {
        server.refuses(with: refusal)

        for _ in 1...2 { #expect(try await server.send(Self.query).text == Self.data) }

        #expect(server.requests.map(\.httpMethod) == ["GET", "POST", "POST"])
        #expect(server.requests.dropFirst().allSatisfy { $0.text == Self.query })
    }

    // Rule: reads/hash-needs-support (9)
    @Test(arguments: [
        NetworkResponse(statusCode: 400), NetworkResponse(statusCode: 401),
        NetworkResponse(statusCode: 429), NetworkResponse(statusCode: 503), .text("<html>"),
        .text(#"{"errors":[{"message":"Busy"}]}"#),
    ])
    func `a query whose text is not executed either does not end the use of hashes`(
        refusal: NetworkResponse
    ) async throws {
        server.refuses(with: NetworkResponse(statusCode: 400))
        server.respondsToTexts(with: refusal)

        for _ in 1...2 { #expect(try await server.send(Self.query).body == refusal.body) }

        #expect(server.requests.map(\.httpMethod) == ["GET", "POST", "GET", "POST"])
    }

    // Rule: reads/hash-needs-support (9)
    @Test func `the text is sent if the server refuses it together with its hash`() async throws {
        server.refuses(with: .text(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#))
        server.respondsToRegistrations(with: NetworkResponse(statusCode: 400))

        for _ in 1...2 { #expect(try await server.send(Self.query).text == Self.data) }

        #expect(server.requests.map(\.httpMethod) == ["GET", "POST", "POST", "POST"])
        #expect(server.requests.suffix(2).allSatisfy { $0.text == Self.query })
    }

    // Rule: reads/hash-needs-support (9)
    @Test func `a URL that is too long for the server is sent as a text once`() async throws {
        server.refuses(with: NetworkResponse(statusCode: 414))

        #expect(try await server.send(Self.query).text == Self.data)
        #expect(try await server.send(Self.query).text == Self.data)

        #expect(server.requests.map(\.httpMethod) == ["GET", "POST", "GET", "POST"])
    }

    // Rule: reads/hash-replaces-text (8)
    @Test(arguments: [
        .text(#"{"data":"PersistedQueryNotFound"}"#), .text(#""PersistedQueryNotFound""#),
        .text(#"{"errors":[{"message":"Busy"}],"data":"PersistedQuery"}"#),
        .text(#"{"errors":[{"message":"Busy"}],"data":null}"#),
        .text(#"{"errors":[{"message":"Busy"}]}"#, statusCode: 503),
        NetworkResponse(statusCode: 401), NetworkResponse(statusCode: 408),
        NetworkResponse(statusCode: 429), NetworkResponse(statusCode: 500),
    ])
    func `any other response is final`(response: NetworkResponse) async throws {
        server.refuses(with: response)

        #expect(try await server.send(Self.query).body == response.body)

        #expect(server.requests.map(\.httpMethod) == ["GET"])
    }

    // Rule: reads/hash-replaces-text (8); reads/declared-read-is-like-get (1)
    @Test func `a hashed query is stored, revalidated and available offline`() async throws {
        let clock = ManualClock(skipsDelays: true)
        let caching = CachingBehavior(partition: { "" }, effects: clock.effects())
        server.refuses(with: .text(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#))
        server.validates("\"1\"")

        let sources = [
            try await server.send(Self.query, inside: caching),
            try await server.send(Self.query, inside: caching),
        ].map(\.source.code)
        clock.advance(by: .seconds(61))
        let revalidated = try await server.send(Self.query, inside: caching)
        clock.advance(by: .seconds(61))
        server.fails()
        let offline = try await server.send(Self.query, inside: caching)

        #expect(sources == [.network, .cache] && revalidated.source == .revalidated)
        #expect(offline.source.code == .staleIfError && offline.text == Self.data)
        #expect(server.requests.map(\.httpMethod) == ["GET", "POST", "GET", "GET"])
    }
}

/// A GraphQL server that stores the queries whose hash it was sent together with their text.
private final class GraphQLServer: Sendable {
    private struct State {
        var requests: [URLRequest] = []
        var hashes: Set<String> = []
        var refusal = NetworkResponse(statusCode: 500)
        var textResponse: NetworkResponse?
        var registrationResponse: NetworkResponse?
        var entityTag: String?
        var isReachable = true
    }

    private let state = Mutex(State())
    private let behavior = PersistedQueryBehavior()

    /// The requests so far.
    var requests: [URLRequest] { state.withLock(\.requests) }

    func knows(_ query: String) {
        state.withLock { _ = $0.hashes.insert(SHA256.hexadecimalDigest(of: query.utf8)) }
    }

    /// Sets the response to a hash that is not known.
    func refuses(with refusal: NetworkResponse) {
        state.withLock { $0.refusal = refusal }
    }

    /// Sets the response to a text without its hash.
    func respondsToTexts(with response: NetworkResponse) {
        state.withLock { $0.textResponse = response }
    }

    /// Sets the response to a text with its hash.
    func respondsToRegistrations(with response: NetworkResponse) {
        state.withLock { $0.registrationResponse = response }
    }

    func validates(_ entityTag: String) {
        state.withLock { $0.entityTag = entityTag }
    }

    func fails() {
        state.withLock { $0.isReachable = false }
    }

    /// Sends a query by its hash, optionally through a cache.
    func send(
        _ body: String,
        isDeclared: Bool = true,
        inside caching: CachingBehavior? = nil
    ) async throws -> NetworkResponse {
        let request = NetworkRequest<NetworkResponse>.query(body)
        return try await send(isDeclared ? request.reading() : request, inside: caching)
    }

    func send(
        _ request: NetworkRequest<NetworkResponse>,
        inside caching: CachingBehavior? = nil
    ) async throws -> NetworkResponse {
        let outer: [any RequestBehavior] = caching.map { [$0] } ?? []
        return try await CombinedBehavior(outer + [behavior])
            .send(try request.urlRequest(relativeTo: .api)) { try self.response(to: $0) }
    }

    private func response(to request: URLRequest) throws -> NetworkResponse {
        try state.withLock { state in
            state.requests.append(request)
            guard state.isReachable else { throw NetworkError(.unreachable) }
            let text = request.items["extensions"] ?? request.text
            let hash = text.firstMatch(of: /"sha256Hash":"([0-9a-f]+)"/).map { String($0.1) }
            if request.httpMethod == "POST" {
                let response = hash == nil ? state.textResponse : state.registrationResponse
                if let response { return response }
                if let hash { state.hashes.insert(hash) }
            } else if let hash, !state.hashes.contains(hash) {
                return state.refusal
            }
            var response = NetworkResponse.text(
                #"{"data":{}}"#,
                headers: ["Cache-Control": "max-age=60"]
            )
            response.url = request.url
            if let entityTag = state.entityTag {
                response.headers["ETag"] = entityTag
                if request.value(forHTTPHeaderField: "If-None-Match") == entityTag {
                    response.statusCode = 304
                    response.body = Data()
                }
            }
            return response
        }
    }
}

extension URLRequest {
    /// The items of the query.
    fileprivate var items: [String: String] {
        let components = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let items = (components?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return Dictionary(items) { $0 + $1 }
    }
}
