import Foundation
import Observation
import ProductKit
import Synchronization
import Testing

/// The code of “Request behaviors”.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BehaviorSamples {
    @Test func `the recommended stack can be made`() async throws {
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let session = SignedSession()
        let spinner = Spinner()
        let client = NetworkClient(
            baseURL: api,
            behaviors: [
                LoggingBehavior { event in print(event) },
                ActivityBehavior { isActive in spinner.show(isActive) },
                IdempotencyKeyBehavior(),
                CoalescingBehavior(partition: { session.userID }),
                RetryBehavior(),
                TokenBehavior(
                    token: { session.token },
                    refresh: { old in try await session.refresh(old) }
                ),
            ]
        )

        #expect(client.baseURL == api)
    }

    @Test func `a refusal in the server’s own format ends the session`() async {
        let refusal = NetworkResponse.problem(#"{"type": "/signed-out"}"#, statusCode: 403)
        let session = SignedSession(refusal: NetworkError(refusal))
        let signing = TokenBehavior(
            token: { session.token },
            refresh: { old in
                do {
                    return try await session.refresh(old)
                } catch let error as NetworkError where error.problem?.type == "/signed-out" {
                    throw TokenError.sessionEnded
                }
            }
        )

        await #expect(throws: TokenError.sessionEnded) {
            try await signing.send { _ in NetworkResponse(statusCode: 401) }
        }
    }

    @MainActor @Test func `a view can observe whether requests are in flight`() async {
        let status = RequestStatus()
        let activity = ActivityBehavior.onMainActor { isActive in status.isLoading = isActive }

        activity.beforeSend()
        await Task {}.value
        #expect(status.isLoading)
        activity.afterSuccess(result: 1)
        await Task {}.value

        #expect(!status.isLoading)
    }

    @MainActor @Test func `behaviors of one screen save products and report failures`() async throws
    {
        let (recentProducts, messages) = (RecentProducts(), Messages())
        let boots = Product(id: "walking-boots", name: "Walking Boots")
        let networking: any Networking = .closure { request in
            switch (request.httpMethod, request.url?.path()) {
            case ("GET", _): try NetworkResponse(json: boots)
            case (_, "/v1/likes/walking-boots"): NetworkResponse(statusCode: 204)
            default: NetworkResponse(statusCode: 403)
            }
        }
        let service = ProductService(
            baseURL: .api,
            localUser: LocalUser(currency: "EUR"),
            user: .guest,
            networking: networking
        )
        let client = NetworkClient(baseURL: .api, networking: networking)
        let saving = ClosureBehavior(afterSuccess: { result in
            if let product = result as? Product { recentProducts.add(product) }
        })
        let reporting = ClosureBehavior(afterFailure: { error in
            if !(error is CancellationError) { messages.show(error.localizedDescription) }
        })
        let screen = service.with(behaviors: [saving, reporting]).viewModel(for: boots)
        try await client.send(.put("likes", boots.id), behaviors: [reporting])

        try await screen.reload()
        try? await screen.toggleProductFavoriteStatus()

        #expect(recentProducts.ids == ["walking-boots"])
        #expect(messages.count == 1)
        #expect(NetworkClient.main.baseURL.host() == "api.example.com")
    }

    // Rule: retry/tuning-keeps-limits (13); retry/hook-precedes-each-retry (14)
    @Test func `retries can be tuned`() async throws {
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let retry = RetryBehavior(
            attempts: 5,
            methods: ["GET"],
            statusCodes: [429, 503],
            delays: .milliseconds(200) ... .seconds(5),
            beforeRetry: { attempt, error in print("Attempt \(attempt) failed: \(error.code)") }
        )
        let backend = ProductBackend(baseURL: api, retry: retry)

        #expect(backend.description.contains("api.example.com"))
    }

    @Test func `a behavior of your own intercepts the request`() async throws {
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let client = NetworkClient(
            baseURL: api,
            networking: .closure { request in
                try NetworkResponse(json: request.value(forHTTPHeaderField: "X-Request-ID"))
            },
            behaviors: [TracingBehavior { "7" }]
        )

        let seen: String = try await client.send(.get("anything"))

        #expect(seen == "7")
    }

    @Test func `every attempt runs the behaviors inside of retry`() async throws {
        let statuses = Mutex([503, 503, 204])
        let attempts = Mutex(0)
        let client = NetworkClient(
            baseURL: api,
            networking: .closure { _ in
                NetworkResponse(statusCode: statuses.withLock { $0.removeFirst() })
            },
            behaviors: [
                RetryBehavior(effects: ManualClock(skipsDelays: true).effects()),
                ClosureBehavior(modify: { _ in attempts.withLock { $0 += 1 } }),
            ]
        )

        try await client.send(.put("likes", "walking-boots"))

        #expect(attempts.withLock { $0 } == 3)
    }

    @Test func `one too many is refused, and room is made again`() async throws {
        let gate = ActionGate<Void>()
        let client = NetworkClient(
            baseURL: api,
            networking: .closure { _ in
                try await gate.hold()
                return NetworkResponse(statusCode: 204)
            },
            behaviors: [LimitBehavior(limit: 1)]
        )
        let first = Task { try await client.send(.put("likes", "1")) }
        await gate.waitForCalls(1)

        await #expect(throws: TooBusy.self) { try await client.send(.put("likes", "2")) }

        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        try await client.send(.put("likes", "3"))
    }

    // Rule: reads/declared-read-is-like-get (1)
    @Test func `a GraphQL query is declared to be a read`() async throws {
        let request = NetworkRequest<Page<Product>>.post("graphql")
            .json(["query": "{ products { id title } }"])
            .inside("data.products")
            .failing(at: "errors")
            .reading(as: "products")
        let client = NetworkClient(
            baseURL: api,
            networking: .closure { _ in
                try NetworkResponse(
                    headers: ["Cache-Control": "max-age=60"],
                    json: ["data": ["products": [Product.boots]]]
                )
            },
            behaviors: [CachingBehavior { "" }]
        )

        let page = try await client.send(request)

        #expect(page.items == [.boots])
        #expect(try await client.send(request.fetched).source.code == .cache)
    }

    @Test func `services of many users share a backend`() {
        let euros = LocalUser(currency: "EUR")
        let token = "demo-token"

        let backend = ProductBackend(baseURL: api, cache: ResponseCache())
        let anna = ServiceUser.signedIn("anna") { token }
        let service = ProductService(backend: backend, localUser: euros, user: anna)

        #expect(service.localUser == euros)
    }

    private var api: URL { .api }
}

/// The session of a user in an app.
struct SignedSession {
    let userID = "anna"
    let token = AccessToken("fresh")
    var refusal: NetworkError?

    func refresh(_ old: AccessToken) async throws -> AccessToken {
        if let refusal { throw refusal }
        return old
    }
}

struct TracingBehavior {
    let makeID: @Sendable () -> String
}

extension TracingBehavior: RequestBehavior {
    func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        var request = request
        request.headers["X-Request-ID"] = makeID()
        return try await next(request)
    }
}

final class LimitBehavior {
    private let limit: Int
    private let inFlight = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }
}

extension LimitBehavior: RequestBehavior {
    func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        try begin()
        defer { end() }
        return try await next(request)
    }

    @inline(never) private func begin() throws {
        try inFlight.withLock { count in
            guard count < limit else { throw TooBusy(limit: limit) }
            count += 1
        }
    }

    @inline(never) private func end() {
        inFlight.withLock { $0 -= 1 }
    }
}

struct TooBusy: Error {
    let limit: Int
}

extension NetworkClient {
    static let main: NetworkClient = {
        guard let api = URL(string: "https://api.example.com/v1") else {
            preconditionFailure("The base URL is not valid.")
        }
        let logging = LoggingBehavior { event in print(event) }
        return NetworkClient(baseURL: api, behaviors: [logging, RetryBehavior()])
    }()
}

private final class RecentProducts: Sendable {
    private let products = Mutex<[Product.ID]>([])

    var ids: [Product.ID] { products.withLock(\.self) }

    func add(_ product: Product) { products.withLock { $0.append(product.id) } }
}

private final class Messages: Sendable {
    private let texts = Mutex<[String]>([])

    var count: Int { texts.withLock(\.count) }

    func show(_ text: String) { texts.withLock { $0.append(text) } }
}

@MainActor @Observable private final class RequestStatus {
    var isLoading = false
}
