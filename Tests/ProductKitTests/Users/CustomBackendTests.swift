import Foundation
import ProductKit
import Synchronization
import Testing

/// Services of a backend with an API of its own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CustomBackendTests {
    private let requests = RequestLog()
    private let cache = ResponseCache()

    // Rule: cache/any-backend-is-cached (73)
    @Test func `the products of a backend with another API are stored for each user`() async throws
    {
        let (ann, bob) = (service(for: "ann"), service(for: "bob"))
        _ = try await ann.loader.loadProduct(withID: "pan")

        let stored = try await ann.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        let error = await #expect(throws: NetworkError.self) {
            _ = try await bob.loader.fetchProduct(withID: "pan", policy: .cacheOnly)
        }

        #expect(stored.source.code == .cache && stored.value.name == "ann")
        #expect(error?.code == .notCached)
    }

    // Rule: security/sign-out-ends-any-backend (38)
    @Test func `signing out empties the cache of a backend with another API`() async throws {
        let service = service(for: "ann")
        _ = try await service.loader.loadProduct(withID: "pan")

        await service.signOut()

        #expect(cache.statistics.entryCount == 0)
        await #expect(throws: TokenError.sessionEnded) {
            try await service.loader.loadProduct(withID: "pan")
        }
    }

    // Rule: security/sign-out-ends-any-backend (38)
    @Test func `signing out ends a request of a backend with another API`() async throws {
        let gate = ActionGate<Void>()
        let service = service(for: "ann") { try await gate.hold() }
        let load = Task { try await service.loader.loadProduct(withID: "pan") }
        await gate.waitForCalls(1)

        await service.signOut()

        await #expect(throws: CancellationError.self) { try await load.value }
        gate.open()
    }

    // Rule: cache/any-backend-is-cached (73)
    @Test func `a path of a backend with another API can be invalidated`() async throws {
        let service = service(for: "ann")
        _ = try await service.loader.loadProduct(withID: "pan")

        service.invalidate(.api.appending(path: "goods/pan"))
        _ = try await service.loader.fetchProduct(withID: "pan")

        #expect(requests.all.count == 2)
    }

    // Rule: cache/any-backend-is-cached (73)
    @Test func `a write to a backend with another API invalidates the related responses`()
        async throws
    {
        let service = service(for: "ann")
        _ = try await service.loader.loadProduct(withID: "pan")

        try await service.listManager.addProduct(withID: "pan", toListWithID: "camp")
        _ = try await service.loader.fetchProduct(withID: "pan")

        #expect(requests.all.map(\.httpMethod) == ["GET", "PUT", "GET"])
    }

    // Rule: cache/success-removes-responses (44)
    @Test func `without related URLs, a write to a backend invalidates all responses of its user`()
        async throws
    {
        let (ann, bob) = (service(for: "ann", related: nil), service(for: "bob", related: nil))
        for service in [ann, bob] { _ = try await service.loader.loadProduct(withID: "pot") }

        try await ann.listManager.addProduct(withID: "pan", toListWithID: "camp")

        #expect(try await ann.loader.fetchProduct(withID: "pot").source.code == .network)
        #expect(try await bob.loader.fetchProduct(withID: "pot").source.code == .cache)
    }

    @Test func `a backend names the header field and the scheme of its tokens`() async throws {
        _ = try await service(for: "ann").loader.loadProduct(withID: "pan")

        let fields = requests.all.map { $0.value(forHTTPHeaderField: "X-Shop-Token") }
        #expect(fields == ["Key ann"])
    }

    @Test func `behaviors of a service are added to the requests of its loader and its lists`()
        async throws
    {
        let service = service(for: "ann")
        let traced = service.with(behaviors: [
            ClosureBehavior(additionalHeaders: { ["X-Trace": "7"] })
        ])

        _ = try await traced.viewModel(forProductWithID: "pan")
        try await traced.listManager.addProduct(withID: "pan", toListWithID: "camp")
        try await service.listManager.addProduct(withID: "pan", toListWithID: "camp")

        let traces = requests.all.map { $0.value(forHTTPHeaderField: "X-Trace") }
        #expect(traces == ["7", "7", nil])
    }

    private func service(
        for user: String,
        before response: @escaping @Sendable () async throws -> Void = {},
        related: (@Sendable (URL) -> [URL])? = { _ in [.api.appending(path: "goods/pan")] }
    ) -> ProductService {
        let backend = ProductBackend(
            client: NetworkClient(
                baseURL: .api,
                networking: .closure { [requests] request in
                    requests.append(request)
                    try await response()
                    let token = request.value(forHTTPHeaderField: "X-Shop-Token") ?? ""
                    return NetworkResponse(
                        headers: ["Cache-Control": "max-age=60"],
                        body: Data(#"{"id": "pan", "name": "\#(token.dropFirst(4))"}"#.utf8)
                    )
                }
            ),
            cache: cache,
            related: related,
            tokenHeader: "X-Shop-Token",
            tokenScheme: "Key",
            loader: Self.loader,
            listManager: Self.lists
        )
        return ProductService(
            backend: backend,
            localUser: .shopper,
            user: .signedIn(user) { user }
        )
    }

    @Sendable private static func loader(over client: NetworkClient) -> ProductLoader {
        ProductLoader(load: { id in try await client.send(.get("goods", id)) })
    }

    @Sendable private static func lists(over client: NetworkClient) -> ListManager {
        ListManager(addProduct: { product, list in
            try await client.send(.put("baskets", list, product))
        })
    }
}

/// The requests that a backend received, in order.
private final class RequestLog: Sendable {
    private let requests = Mutex<[URLRequest]>([])

    var all: [URLRequest] { requests.withLock(\.self) }

    func append(_ request: URLRequest) { requests.withLock { $0.append(request) } }
}
