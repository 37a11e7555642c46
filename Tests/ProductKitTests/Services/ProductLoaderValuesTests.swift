import Foundation
import ProductKit
import Synchronization
import Testing

// Rule: cache/values-cache-then-network (60)
/// The sequence of the cached product and then the server's.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductLoaderValuesTests {
    private static func cached(_ product: Product) -> Fetched<Product> {
        Fetched(product, source: .cache(asOf: .distantPast))
    }

    private static func loaded(_ product: Product) -> Fetched<Product> {
        Fetched(product, source: .network)
    }

    @Test(
        arguments: [
            (.success(.boots), .favoriteBoots, [cached(.boots), loaded(.favoriteBoots)]),
            (.success(.boots), .boots, [cached(.boots)]),
            (.failure(NetworkError(.notCached)), .boots, [loaded(.boots)]),
            (.failure(NetworkError(.unreadable)), .boots, [loaded(.boots)]),
        ] as [(Result<Product, NetworkError>, Product, [Fetched<Product>])]
    )
    func `a usable cached product comes first, and then the server's if it is another one`(
        stored: Result<Product, NetworkError>,
        current: Product,
        expected: [Fetched<Product>]
    ) async throws {
        let loader = loader(cached: stored, server: .success(current))

        #expect(try await loader.values(ofProductWithID: "walking-boots").all() == expected)
    }

    @MainActor @Test func `a network failure is thrown once, after the cached product`()
        async throws
    {
        let loader = loader(
            cached: .success(.boots),
            server: .failure(NetworkError(.unreachable))
        )
        var values = loader.values(ofProductWithID: "walking-boots").makeAsyncIterator()

        let first = try await values.next(isolation: #isolation)
        await #expect(throws: NetworkError.self) { try await values.next(isolation: #isolation) }
        let last = try await values.next(isolation: #isolation)

        #expect(first?.value == .boots && last == nil)
    }

    @Test func `nothing is loaded before the loop and after it is left`() async throws {
        let policies = Mutex<[FetchPolicy]>([])
        let loader = ProductLoader(fetch: { _, policy in
            policies.withLock { $0.append(policy) }
            return Self.cached(.boots)
        })

        let values = loader.values(ofProductWithID: "walking-boots")
        #expect(policies.withLock { $0 } == [])
        for try await _ in values { break }

        #expect(policies.withLock { $0 } == [.cacheOnly])
    }

    @Test(arguments: [NetworkError(.notCached), CancellationError()] as [any Error & Sendable])
    func `a cancelled loop loads nothing more, and has ended`(
        error: any Error & Sendable
    ) async throws {
        let policies = Mutex<[FetchPolicy]>([])
        let loader = ProductLoader(fetch: { _, policy in
            policies.withLock { $0.append(policy) }
            withUnsafeCurrentTask { $0?.cancel() }
            throw error
        })
        let loop = Task {
            var values = loader.values(ofProductWithID: "walking-boots").makeAsyncIterator()
            var errors: [any Error] = []
            for _ in 1...2 {
                do { #expect(try await values.next() == nil) } catch { errors.append(error) }
            }
            return errors
        }

        let errors = await loop.value

        #expect(errors.count == 1 && errors.first is CancellationError)
        #expect(policies.withLock { $0 } == [.cacheOnly])
    }

    private func loader(
        cached: Result<Product, NetworkError>,
        server: Result<Product, NetworkError>
    ) -> ProductLoader {
        ProductLoader(fetch: { _, policy in
            policy == .cacheOnly ? Self.cached(try cached.get()) : Self.loaded(try server.get())
        })
    }
}
