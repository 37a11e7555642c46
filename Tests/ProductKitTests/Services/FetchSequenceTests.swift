import Foundation
import ProductKit
import Synchronization
import Testing

// Rule: cache/values-cache-then-network (60)
/// A product as it is stored, and then as the server confirms it.
@Suite(.timeLimit(.minutes(5))) struct FetchSequenceTests {
    @Test func `what is stored comes first and then the server's word`() async throws {
        let loader = loader(stored: .success(.boots), confirmed: .success(.favoriteBoots))

        let values = try await all(loader.values(ofProductWithID: "walking-boots"))

        #expect(values.map(\.value) == [.boots, .favoriteBoots])
        #expect(values.map(\.isFromServer) == [false, true])
    }

    @Test func `equal values are given once`() async throws {
        let loader = loader(stored: .success(.boots), confirmed: .success(.boots))

        let values = try await all(loader.values(ofProductWithID: "walking-boots"))

        #expect(values.map(\.isFromServer) == [false])
    }

    @Test(arguments: [NetworkError(.notCached), NetworkError(.unreadable)])
    func `where nothing usable is stored the server's word is all`(error: NetworkError) async throws
    {
        let loader = loader(stored: .failure(error), confirmed: .success(.boots))

        let values = try await all(loader.values(ofProductWithID: "walking-boots"))

        #expect(values.map(\.isFromServer) == [true])
    }

    @Test func `a failure comes behind what is stored, once`() async throws {
        let loader = loader(
            stored: .success(.boots),
            confirmed: .failure(NetworkError(.unreachable))
        )
        var values = loader.values(ofProductWithID: "walking-boots").makeAsyncIterator()

        #expect(try await values.next()?.value == .boots)
        await #expect(throws: NetworkError.self) { _ = try await values.next() }
        #expect(try await values.next() == nil)
    }

    @Test func `nothing is asked before the loop, and nothing after it was left`() async throws {
        let asked = Mutex<[FetchPolicy]>([])
        let loader = ProductLoader(fetch: { _, policy in
            asked.withLock { $0.append(policy) }
            return Fetched(.boots, source: .cache(asOf: .distantPast))
        })

        let values = loader.values(ofProductWithID: "walking-boots")
        #expect(asked.withLock { $0 } == [])
        for try await _ in values { break }

        #expect(asked.withLock { $0 } == [.cacheOnly])
    }

    @Test func `a cancelled loop asks no more`() async throws {
        let asked = Mutex<[FetchPolicy]>([])
        let loader = ProductLoader(fetch: { _, policy in
            asked.withLock { $0.append(policy) }
            withUnsafeCurrentTask { $0?.cancel() }
            throw NetworkError(.notCached)
        })
        let loop = Task { try await all(loader.values(ofProductWithID: "walking-boots")) }

        await #expect(throws: CancellationError.self) { _ = try await loop.value }

        #expect(asked.withLock { $0 } == [.cacheOnly])
    }

    private func loader(
        stored: Result<Product, NetworkError>,
        confirmed: Result<Product, NetworkError>
    ) -> ProductLoader {
        ProductLoader(fetch: { _, policy in
            policy == .cacheOnly
                ? Fetched(try stored.get(), source: .cache(asOf: .distantPast))
                : Fetched(try confirmed.get(), source: .network)
        })
    }

    private func all(_ values: FetchSequence<Product>) async throws -> [Fetched<Product>] {
        var all: [Fetched<Product>] = []
        for try await value in values { all.append(value) }
        return all
    }
}
