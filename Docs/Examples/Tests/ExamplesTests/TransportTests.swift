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

    @Test func `plain http to another machine is refused before anything is sent`() async throws {
        let address = try #require(URL(string: "http://shop.example/v1"))

        let error = await #expect(throws: NetworkError.self) {
            try await ProductLoader(baseURL: address).loadProduct(withID: "walking-boots")
        }

        #expect(error?.code == .insecure)
        #expect(error?.localizedDescription.contains("allowsInsecureHTTP") == true)
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
