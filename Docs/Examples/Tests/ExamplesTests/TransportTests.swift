import EmbeddedStore
import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct TransportTests {
    @Test func `a deadline below a second is kept`() async throws {
        let transport = URLSessionTransport(deadline: .milliseconds(300))
        try await withEmbeddedStore(intercept: forever) { _, baseURL in
            let loader = ProductLoader(baseURL: baseURL, networking: transport)
            let start = ContinuousClock.now

            let error = await #expect(throws: NetworkError.self) {
                try await loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .timedOut)
            #expect(start.duration(to: .now) >= .milliseconds(300))
            #expect(start.duration(to: .now) < .seconds(10))
        }
    }

    @Test func `a cancelled task stops waiting at once`() async throws {
        let arrivals = Arrivals()
        try await withShop(
            intercept: { _, handle in
                arrivals.come()
                try? await Task.sleep(for: .seconds(3_600))
                return await handle()
            }
        ) { _, shop in
            let load = Task { try await shop.loader.loadProduct(withID: "walking-boots") }
            await arrivals.first()
            let start = ContinuousClock.now

            load.cancel()
            await #expect(throws: CancellationError.self) { try await load.value }

            #expect(start.duration(to: .now) < .seconds(10))
        }
    }

    @Test func `a task cancelled beforehand sends nothing`() async throws {
        try await withShop { store, shop in
            await #expect(throws: CancellationError.self) {
                try await withThrowingTaskGroup(of: Product.self) { group in
                    group.cancelAll()
                    group.addTask { try await shop.loader.loadProduct(withID: "walking-boots") }
                    _ = try await group.next()
                }
            }

            #expect(store.exchanges.isEmpty)
        }
    }

    @Test func `a storm of cancelled tasks leaves the transport working`() async throws {
        try await withShop { _, shop in
            for _ in 1...5 {
                await withTaskGroup { group in
                    for number in 1...40 {
                        let load = Task {
                            try await shop.loader.loadProduct(withID: "walking-boots")
                        }
                        group.addTask {
                            try? await Task.sleep(for: .microseconds(100 * number))
                            load.cancel()
                            _ = await load.result
                        }
                    }
                }
            }

            let product = try await shop.loader.loadProduct(withID: "walking-boots")
            #expect(product.id == "walking-boots")
        }
    }

    @Test func `a challenge becomes the refusal that it is`() async throws {
        try await withShop(
            intercept: { _, _ in
                .problem(401, headers: ["WWW-Authenticate": #"Basic realm="shop""#])
            }
        ) { _, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .unauthorized)
        }
    }

    @Test func `an answer larger than allowed is refused`() async throws {
        let transport = URLSessionTransport(maximumBodySize: 1_000)
        try await withShop(networking: transport) { _, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.products()
            }

            #expect(error?.code == .tooLarge)
        }
    }

    @Test func `a redirect on the same origin is followed with the token`() async throws {
        try await withShop(
            intercept: { request, handle in
                guard request.path == "/v1/products/walking-boots" else { return await handle() }
                return StoreResponse(
                    status: 301,
                    headers: ["Location": "/v1/products/enamel-mug"]
                )
            }
        ) { _, shop in
            let product = try await shop.loader.loadProduct(withID: "walking-boots")

            #expect(product.id == "enamel-mug")
        }
    }

    @Test func `a redirect to a slash is followed`() async throws {
        try await withShop(
            intercept: { request, handle in
                request.path == "/v1/products"
                    ? StoreResponse(status: 308, headers: ["Location": "/v1/products/"])
                    : StoreResponse(status: 200, text: #"{"items": []}"#, type: "application/json")
            }
        ) { _, shop in
            let page = try await shop.loader.products()

            #expect(page.items.isEmpty)
        }
    }

    @Test func `a redirect to another origin carries nothing secret`() async throws {
        let seen = Recorder<StoreRequest>()
        try await withEmbeddedStore(
            intercept: { request, handle in
                seen.record(request)
                return await handle()
            }
        ) { _, elsewhere in
            try await withShop(
                intercept: { request, _ in
                    StoreResponse(
                        status: 302,
                        headers: ["Location": "\(elsewhere)/products/walking-boots"]
                    )
                }
            ) { _, shop in
                let error = await #expect(throws: NetworkError.self) {
                    try await shop.loader.loadProduct(withID: "walking-boots")
                }

                #expect(error?.code == .unauthorized)
                let request = try #require(seen.all.first)
                #expect(request.header("Authorization") == nil)
                #expect(request.header("Accept") == "application/json")
                #expect(request.header("Accept-Language") == "en-US")
            }
        }
    }

    @Test func `a redirect that goes on and on is given up`() async throws {
        try await withShop(
            intercept: { request, _ in
                StoreResponse(status: 302, headers: ["Location": request.path + "x"])
            }
        ) { store, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .redirect)
            #expect(store.exchanges.count == 21)
        }
    }

    @Test(
        arguments: [
            "ftp://127.0.0.1/file", "javascript:alert(1)", "http://shop.example/v1", "http://",
            "file:///etc/hosts",
        ]
    )
    func `a redirect to where nothing must go is refused`(location: String) async throws {
        try await withShop(
            intercept: { _, _ in StoreResponse(status: 302, headers: ["Location": location]) }
        ) { store, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .redirect)
            #expect(store.exchanges.count == 1)
        }
    }

    @Test func `a name and password in a redirect are dropped`() async throws {
        let seen = Recorder<StoreRequest>()
        try await withEmbeddedStore(
            intercept: { request, _ in
                seen.record(request)
                guard request.path.hasSuffix("walking-boots") else {
                    return StoreResponse(
                        status: 200,
                        text: #"{"id": 1, "name": "A"}"#,
                        type: "application/json"
                    )
                }
                let port = request.header("Host")?.split(separator: ":").last ?? ""
                let location = "http://user:secret@127.0.0.1:\(port)/v1/products/other"
                return StoreResponse(status: 302, headers: ["Location": location])
            }
        ) { _, baseURL in
            _ = try await ProductLoader(baseURL: baseURL).loadProduct(withID: "walking-boots")

            #expect(seen.all.count == 2)
            #expect(seen.all.allSatisfy { $0.header("Authorization") == nil })
        }
    }

    @Test func `plain http to another machine is refused before anything is sent`() async throws {
        let address = try #require(URL(string: "http://shop.example/v1"))

        let error = await #expect(throws: NetworkError.self) {
            try await ProductLoader(baseURL: address).loadProduct(withID: "walking-boots")
        }

        #expect(error?.code == .insecure)
        #expect(error?.localizedDescription.contains("allowsInsecureHTTP") == true)
    }

    @Test func `a redirect that would lose a write is returned`() async throws {
        try await withShop(
            intercept: { request, _ in
                StoreResponse(status: 307, headers: ["Location": "/v1/elsewhere"])
            }
        ) { store, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.listManager.createList(named: "Gifts")
            }

            #expect(error?.statusCode == 307)
            #expect(store.exchanges.count == 1)
        }
    }

    @Test func `a session of the host's own is networking too`() async throws {
        try await withShop(networking: URLSession(configuration: .ephemeral)) { _, shop in
            let product = try await shop.loader.loadProduct(withID: "enamel-mug")

            #expect(product.id == "enamel-mug")
        }
    }

    @Test func `a picture's bytes are loaded without the token`() async throws {
        try await withEmbeddedStore(
            intercept: { request, _ in
                StoreResponse(
                    status: 200,
                    text: request.header("Authorization") ?? "none",
                    type: "image/png"
                )
            }
        ) { _, baseURL in
            let bytes = try await DataLoader().data(from: baseURL)

            #expect(String(decoding: bytes, as: UTF8.self) == "none")
        }
    }

    private let forever: EmbeddedStore.Interceptor = { _, handle in
        try? await Task.sleep(for: .seconds(3_600))
        return await handle()
    }
}

/// Tells when the first request has come.
private struct Arrivals: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func come() {
        continuation.yield()
    }

    func first() async {
        for await _ in stream { return }
    }
}
