import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requests and responses of each adapter, compared with those in `Recordings`.
///
/// The recordings come from the servers of this repository, which imitate the vendors. So these
/// tests detect changed requests of an adapter, but not a change of a vendor's API.
///
/// To record them again after an intended change:
///
/// ```sh
/// PRODUCTKIT_RECORD=1 swift test --package-path Docs/Examples --filter RecordedAdapterTests
/// ```
@Suite(.serialized, .timeLimit(.minutes(5))) struct RecordedAdapterTests {
    private static let backends: [TestedBackend] = [
        .wooCommerce, .commercetools, .shopify, .django,
    ]

    @Test(arguments: backends)
    func `products are loaded, searched and paged as recorded`(
        backend: TestedBackend
    )
        async throws
    {
        let networking = try backend.recording("products")
        let loader = backend.service(over: networking).loader

        let product = try await loader.loadProduct(withID: "1")
        let first = try await loader.products(matching: ProductQuery(text: "pan", limit: 1))
        let next = try #require(first.next)
        let second = try await loader.products(
            matching: ProductQuery(text: "pan", limit: 1),
            after: next
        )
        // With favorites in a list, the request of a product that is missing cancels another one.
        if !backend.features.contains(.favoritesInList) {
            await #expect(throws: ProductError.notFound("9")) {
                try await loader.loadProduct(withID: "9")
            }
        }

        #expect(product.name == "Iron Pan")
        #expect(product.price(in: "EUR") == Price(minorUnits: 3995, currency: "EUR"))
        #expect(first.items.map(\.name) == ["Iron Pan"])
        #expect(second.items.map(\.name) == ["Steel Pan"])
        #expect(networking.unused.isEmpty)
    }

    @Test(arguments: backends.filter { $0.features.contains(.lists) })
    func `a list is changed as recorded`(backend: TestedBackend) async throws {
        let networking = try backend.recording("lists")
        let lists = backend.service(over: networking).listManager

        let list = try await lists.createList(named: "Camp")
        try await lists.addProduct(withID: "3", toListWithID: list.id)
        let changed = try await lists.list(withID: list.id)
        try await lists.removeProduct(withID: "3", fromListWithID: list.id)

        #expect(list.name == "Camp")
        #expect(changed.products == ["3"])
        #expect(networking.unused.isEmpty)
    }

    @Test(arguments: backends)
    func `a request that changed is an error with the difference`(
        backend: TestedBackend
    )
        async throws
    {
        let recording = try backend.replay("products")
        let service = backend.service(
            over: .closure { request in
                var request = request
                request.url?.append(queryItems: [URLQueryItem(name: "version", value: "2")])
                return try await recording.response(for: request)
            }
        )

        let error = await #expect(throws: UnrecordedRequest.self) {
            try await service.loader.loadProduct(withID: "1")
        }

        #expect(
            error?.differences == ["the query item “version”: version=2 instead of nothing"]
        )
    }
}

extension TestedBackend {
    /// The file with the exchanges of a test.
    fileprivate func file(_ test: String) -> URL {
        let vendor = name.prefix { $0 != " " }
        return URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Recordings/\(vendor)-\(test).json")
    }

    /// The networking of a test: a recording, or with `PRODUCTKIT_RECORD` a new shop.
    fileprivate func recording(_ test: String) throws -> RecordedNetworking {
        let isRecording = ProcessInfo.processInfo.environment["PRODUCTKIT_RECORD"] != nil
        let server = isRecording ? FakeShop(handler: handler).networking : nil
        return try RecordedNetworking(
            file(test),
            recordingFrom: server,
            otherwise: { Issue.record($0) }
        )
    }

    /// The recording of a test.
    fileprivate func replay(_ test: String) throws -> RecordedNetworking {
        try RecordedNetworking(file(test))
    }

    /// Returns a service of a user who is signed in.
    fileprivate func service(over networking: any Networking) -> ProductService {
        let parts = Parts(user: nil, networking: networking, cache: nil, retry: .none)
        return ProductService(make(parts), token: "demo-token")
    }
}
