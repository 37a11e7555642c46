import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// A cache between the screens and the server.
extension Race {
    /// A loader of the contract over a cache, whose requests are held as actions are.
    func makeLoader() -> ProductLoader {
        let caching = CachingBehavior(
            related: OpenAPIContract.relatedURLs(baseURL: .api),
            now: { Date(timeIntervalSince1970: 1_000) }
        )
        return ProductLoader(
            client: NetworkClient(
                baseURL: .api,
                networking: .closure { [weak self] request in
                    guard let race = self else { throw CancellationError() }
                    return try await race.answer(request)
                },
                behaviors: [caching]
            )
        )
    }

    /// Stores the product, before anybody does anything.
    func fillCache() async {
        let load = await started { [loader] in
            try await loader.loadProduct(withID: Product.boots.id)
        }
        while calls.isEmpty { await Task.yield() }
        calls.removeFirst().continuation.resume(returning: .boots)
        _ = await load.result
    }

    /// Opens one more screen of the product with what is stored, as a link into the app does.
    func openStored() async {
        rules.openings -= 1
        let stored = try? await loader.fetchProduct(withID: Product.boots.id, policy: .cacheOnly)
        guard let stored else { return }
        opened += 1
        let viewModel = ProductViewModel(
            product: stored.value,
            from: stored.source,
            localUser: .shopper,
            actions: .only(),
            store: store
        )
        screens.append(screen(of: viewModel))
    }

    /// Answers as the server, when its turn comes: whole, or that what is stored is still good.
    private func answer(_ request: URLRequest) async throws -> NetworkResponse {
        let wish: [String: Bool] = ["PUT": true, "DELETE": false]
        let product = try await hold(wish[request.httpMethod ?? "GET"])
        let response = try NetworkResponse.boots(product, to: request)
        if response.statusCode == 304 { confirmations += 1 }
        return response
    }
}
