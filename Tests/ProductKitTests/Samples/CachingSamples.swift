import Foundation
import ProductKit
import Synchronization
import Testing

/// The code of “Caching and offline reading”, and of the comment of `FetchSource`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CachingSamples {
    private let id: Product.ID = "walking-boots"
    private let api: URL

    init() throws {
        api = try #require(URL(string: "https://api.example.com/v1"))
    }

    @Test func `a service accepts a cache`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let euros = LocalUser(currency: "EUR")
        let token = "demo-token"

        let service = ProductService(
            baseURL: api,
            localUser: euros,
            user: .signedIn("anna") { token },
            cache: ResponseCache(directory: folder)
        )

        #expect(service.localUser == euros)
    }

    @Test func `a response that a server forbids to store is stored`() async throws {
        let key = "w1"
        let cache = ResponseCache()
        let client = NetworkClient(
            baseURL: api,
            networking: .closure { _ in .json("[]", headers: ["Cache-Control": "no-store"]) },
            behaviors: [CachingBehavior(cache: cache, partition: { "anna" })]
        )
        let request = NetworkRequest<Page<Product>>.get("wishlist", key)
            .overridingCacheControl("private, max-age=0")
        _ = try await client.send(NetworkRequest<Page<Product>>.get("cart"))
        _ = try await client.send(request)

        let text = cache.contentsDescription()
        #expect(
            text.contains("wishlist/w1") && text.contains("not stored: 1 (Cache-Control: no-store)")
        )
    }

    @MainActor @Test func `a screen opens with the stored product`() async throws {
        let service = service(failingAfter: 2)
        _ = try await service.loader.loadProduct(withID: id)

        let screen = try await service.viewModel(
            forProductWithID: id,
            policy: .cacheFirst
        )
        try await screen.reload()

        #expect(screen.phase == .loaded)
    }

    @MainActor @Test func `a screen opens offline with the time of the stored product`()
        async throws
    {
        let service = service(failingAfter: 1)
        _ = try await service.loader.loadProduct(withID: id)
        var printed: [String] = []
        func print(_ text: String) { printed.append(text) }

        let screen = try await service.viewModel(
            forProductWithID: id,
            policy: .networkFirst
        )
        if screen.source.code == .staleIfError, let date = screen.asOf {
            print("offline, from \(date.formatted(date: .omitted, time: .shortened))")
        }

        #expect(printed.count == 1)
    }

    @Test func `a request selects its policy`() async throws {
        let client = client(failingAfter: 1)
        let request = NetworkRequest<Product>.get("products", id)
            .fetching(.cacheFirst)
            .fetched
        let fetched = try await client.send(request)

        #expect(fetched.source.isFromServer && fetched.value.id == id)
    }

    @MainActor @Test func `signing out is one call`() async {
        let service = service(failingAfter: 0)

        await service.signOut()
    }

    @Test func `a client can use its own stack of behaviors`() {
        let cache = ResponseCache()
        let session = UserSession()

        let client = NetworkClient(
            baseURL: api,
            behaviors: [
                ClosureBehavior(additionalHeaders: { ["Accept-Language": "de"] }),
                CachingBehavior(
                    cache: cache,
                    partition: { session.userID },
                    related: OpenAPIContract.relatedURLs(baseURL: api)
                ),
                CoalescingBehavior(partition: { session.userID }),
                RetryBehavior(),
                TokenBehavior { session.token },
            ]
        )

        #expect(client.baseURL == api)
    }

    @Test func `a response of the server is not offline`() {
        let response = NetworkResponse()

        let isOffline = response.source.code == .staleIfError

        #expect(!isOffline)
    }

    @MainActor private func service(failingAfter count: Int) -> ProductService {
        .contract(client: client(failingAfter: count))
    }

    /// A client with a cache, whose server can be reached for some requests only.
    private func client(failingAfter count: Int) -> NetworkClient {
        let remaining = Mutex(count)
        return NetworkClient(
            baseURL: api,
            networking: .closure { request in
                let isReachable = remaining.withLock { remaining in
                    remaining -= 1
                    return remaining >= 0
                }
                guard isReachable else { throw NetworkError(.unreachable) }
                return try NetworkResponse(
                    headers: ["ETag": "\"1\""],
                    json: Product(id: "walking-boots", name: "Walking Boots")
                )
            },
            behaviors: [CachingBehavior(partition: { "" })]
        )
    }
}

/// The user who is signed in.
private struct UserSession: Sendable {
    let userID = "anna"
    let token = "demo-token"
}
