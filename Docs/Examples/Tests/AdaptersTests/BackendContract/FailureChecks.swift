import Foundation
import ProductKit
import Testing

/// Failures of the server and unreadable responses, with every adapter.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FailureChecks {
    private static let unreadable: [NetworkResponse] = [
        NetworkResponse(headers: ["Content-Type": "text/html"], body: Data("<html></html>".utf8)),
        .json(#"{"id": "1", "data": {"product": {"id": "1""#),
        .json(#"{"id": [], "data": {"product": {"id": [], "title": 7}}}"#),
        .json(""),
    ]

    @Test(
        arguments: TestedBackend.all,
        [
            (401, .unauthorized), (403, .forbidden), (409, .conflict), (422, .rejected),
            (429, .throttled), (500, .unavailable), (503, .unavailable),
        ] as [(Int, NetworkError.Code)]
    )
    func `a status code becomes a code`(
        backend: TestedBackend,
        failure: (statusCode: Int, code: NetworkError.Code)
    ) async {
        let shopper = Shopper(backend)
        shopper.shop.replacement = backend.failure(failure.statusCode)

        let ofProduct = await #expect(throws: NetworkError.self) {
            try await shopper.loader.loadProduct(withID: "1")
        }
        let ofPage = await #expect(throws: NetworkError.self) {
            try await shopper.loader.products()
        }

        for error in [ofProduct, ofPage] {
            #expect(error?.code == failure.code)
            #expect(error?.statusCode == failure.statusCode)
            #expect(error?.problem?.detail == "It failed.")
        }
    }

    @Test(arguments: TestedBackend.all)
    func `404 is notFound for a product and for a page`(
        backend: TestedBackend
    ) async {
        let shopper = Shopper(backend)
        shopper.shop.replacement = backend.failure(404)

        await #expect(throws: ProductError.notFound("1")) {
            try await shopper.loader.loadProduct(withID: "1")
        }
        let error = await #expect(throws: NetworkError.self) {
            try await shopper.loader.products()
        }
        #expect(error?.code == .notFound)
    }

    @Test(arguments: TestedBackend.all)
    func `404 with a web page does not remove a product`(backend: TestedBackend) async {
        let shopper = Shopper(backend)
        shopper.shop.replacement = NetworkResponse(
            statusCode: 404,
            headers: ["Content-Type": "text/html"],
            body: Data("<html>".utf8)
        )

        let error = await #expect(throws: NetworkError.self) {
            try await shopper.loader.loadProduct(withID: "1")
        }

        #expect(error?.code == .unexpected)
    }

    @Test(arguments: TestedBackend.all, unreadable.indices)
    func `an unreadable product is a typed error and is not served again`(
        backend: TestedBackend,
        index: Int
    ) async throws {
        let shopper = Shopper(backend)
        shopper.shop.replacement = Self.unreadable[index]

        let error = await #expect(throws: NetworkError.self) {
            try await shopper.loader.loadProduct(withID: "1")
        }
        let fromCache = await #expect(throws: NetworkError.self) {
            try await shopper.loader.fetchProduct(withID: "1", policy: .cacheOnly)
        }
        shopper.shop.replacement = nil

        #expect(error?.code == .unreadable)
        #expect(fromCache?.code == .notCached)
        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .cacheFirst)
        #expect(product.value.name == "Iron Pan")
    }

    @Test(arguments: TestedBackend.all, unreadable.indices)
    func `an unreadable page is a typed error and is not served again`(
        backend: TestedBackend,
        index: Int
    ) async throws {
        let shopper = Shopper(backend)
        shopper.shop.replacement = Self.unreadable[index]

        let error = await #expect(throws: NetworkError.self) {
            try await shopper.loader.products()
        }
        shopper.shop.replacement = nil
        shopper.shop.isOnline = false
        let offline = await #expect(throws: NetworkError.self) {
            try await shopper.loader.products()
        }

        #expect(error?.code == .unreadable)
        #expect(offline?.code == .unreachable)
    }

    @Test(arguments: TestedBackend.all)
    func `an error names no secret`(backend: TestedBackend) async {
        let shopper = Shopper(backend, user: "s3cret")
        shopper.shop.replacement = backend.failure(500)

        let error = await #expect(throws: NetworkError.self) {
            try await shopper.loader.products()
        }

        let texts = [error.debugDescription, error?.localizedDescription ?? ""]
        #expect(!texts.contains { $0.contains("s3cret") })
    }

    @Test(arguments: TestedBackend.cached, [500, 503])
    func `a stored product and page are served if the server fails`(
        backend: TestedBackend,
        statusCode: Int
    ) async throws {
        let shopper = Shopper(backend)
        _ = try await shopper.loader.loadProduct(withID: "1")
        _ = try await shopper.loader.products()
        shopper.shop.replacement = backend.failure(statusCode)

        let product = try await shopper.loader.fetchProduct(withID: "1", policy: .networkFirst)
        let page = try await shopper.loader.products()

        #expect(product.source.code == .staleIfError)
        #expect(product.value.name == "Iron Pan")
        #expect(page.source.code == .staleIfError)
        #expect((page.source.failure as? NetworkError)?.statusCode == statusCode)
    }

    @Test(arguments: TestedBackend.all)
    func `a failure that is over is not remembered`(backend: TestedBackend) async throws {
        let shopper = Shopper(backend)
        for statusCode in [401, 403, 404, 429, 500] {
            shopper.shop.replacement = backend.failure(statusCode)
            _ = try? await shopper.loader.loadProduct(withID: "1")
            shopper.shop.replacement = nil

            let product = try await shopper.loader.fetchProduct(withID: "1", policy: .networkFirst)

            #expect(product.source.code == .network)
        }
    }
}
