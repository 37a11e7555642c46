import Foundation
import ProductKit
import Synchronization
import Testing

// Rule: cache/values-cache-then-network (60)
/// The sequence of the cached product and then the server's.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductLoaderValuesTests {
    @Test func `the cached product comes first and then the server's`() async throws {
        let loader = loader(cached: .success(.boots), server: .success(.favoriteBoots))

        let values = try await all(loader.values(ofProductWithID: "walking-boots"))

        #expect(values.map(\.value) == [.boots, .favoriteBoots])
        #expect(values.map(\.source.isFromServer) == [false, true])
    }

    @Test func `equal values are returned once`() async throws {
        let loader = loader(cached: .success(.boots), server: .success(.boots))

        let values = try await all(loader.values(ofProductWithID: "walking-boots"))

        #expect(values.map(\.source.isFromServer) == [false])
    }

    @Test(arguments: [NetworkError(.notCached), NetworkError(.unreadable)])
    func `without a usable cached product, only the server's is returned`(
        error: NetworkError
    ) async throws {
        let loader = loader(cached: .failure(error), server: .success(.boots))

        let values = try await all(loader.values(ofProductWithID: "walking-boots"))

        #expect(values.map(\.source.isFromServer) == [true])
    }

    @Test func `a network failure is thrown once, after the cached product`() async throws {
        let loader = loader(
            cached: .success(.boots),
            server: .failure(NetworkError(.unreachable))
        )

        let steps = await steps(3, of: loader.values(ofProductWithID: "walking-boots"))

        #expect(steps.map { try? $0.get()?.value } == [.boots, nil, nil])
        #expect(throws: NetworkError.self) { try steps[1].get() }
        #expect(throws: Never.self) { try steps[2].get() }
    }

    @Test func `nothing is loaded before the loop and after it is left`() async throws {
        let policies = Mutex<[FetchPolicy]>([])
        let loader = ProductLoader(fetch: { _, policy in
            policies.withLock { $0.append(policy) }
            return Fetched(.boots, source: .cache(asOf: .distantPast))
        })

        let values = loader.values(ofProductWithID: "walking-boots")
        #expect(policies.withLock { $0 } == [])
        for try await _ in values { break }

        #expect(policies.withLock { $0 } == [.cacheOnly])
    }

    @Test func `a cancelled loop loads nothing more`() async throws {
        let policies = Mutex<[FetchPolicy]>([])
        let loader = ProductLoader(fetch: { _, policy in
            policies.withLock { $0.append(policy) }
            withUnsafeCurrentTask { $0?.cancel() }
            throw NetworkError(.notCached)
        })
        let loop = Task { try await all(loader.values(ofProductWithID: "walking-boots")) }

        await #expect(throws: CancellationError.self) { _ = try await loop.value }

        #expect(policies.withLock { $0 } == [.cacheOnly])
    }

    private func loader(
        cached: Result<Product, NetworkError>,
        server: Result<Product, NetworkError>
    ) -> ProductLoader {
        ProductLoader(fetch: { _, policy in
            policy == .cacheOnly
                ? Fetched(try cached.get(), source: .cache(asOf: .distantPast))
                : Fetched(try server.get(), source: .network)
        })
    }

    /// The outcomes of so many calls of `next`.
    private func steps(
        _ count: Int,
        of values: some AsyncSequence<Fetched<Product>, any Error>
    ) async -> [Result<Fetched<Product>?, any Error>] {
        var iterator = values.makeAsyncIterator()
        var steps: [Result<Fetched<Product>?, any Error>] = []
        for _ in 0..<count {
            do {
                steps.append(.success(try await iterator.next(isolation: #isolation)))
            } catch {
                steps.append(.failure(error))
            }
        }
        return steps
    }

    private func all(
        _ values: some AsyncSequence<Fetched<Product>, any Error>
    ) async throws -> [Fetched<Product>] {
        var all: [Fetched<Product>] = []
        for try await value in values { all.append(value) }
        return all
    }
}
