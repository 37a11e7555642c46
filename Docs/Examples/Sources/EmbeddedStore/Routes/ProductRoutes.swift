import Foundation

extension StoreRouter {
    func productPage(
        _ request: StoreRequest,
        for user: String,
        in state: StoreState
    ) throws(Problem) -> StoreResponse {
        let items = try QueryItems(request.query)
        let paging = try Pagination(items)
        let text = items["q"] ?? ""
        guard text.unicodeScalars.count <= 200 else {
            throw Problem(400, detail: "The search text must have at most 200 characters.")
        }
        let ids = items.values(of: "ids")
        guard ids.count <= 100, ids.allSatisfy({ (1...255).contains($0.utf8.count) })
        else {
            throw Problem(
                400,
                detail: "There must be at most 100 identifiers of 1 to 255 bytes."
            )
        }
        let favorites = state[dataOf: user].favorites
        let page = paging.page(
            of: state.entries(matching: text, among: ids.isEmpty ? nil : Set(ids)),
            path: request.path,
            position: \.position,
            document: { $0.document(isFavorite: favorites[$0.product.id] != nil) }
        )
        return response(
            with: page.document,
            to: request,
            headers: page.headers.merging(cacheControl) { page, _ in page }
        )
    }

    func product(
        _ id: String,
        _ request: StoreRequest,
        for user: String,
        in state: StoreState
    ) throws(Problem) -> StoreResponse {
        guard let entry = state.entry(id) else { throw .noSuchProduct(id) }
        let isFavorite = state[dataOf: user].favorites[id] != nil
        return response(
            with: entry.document(isFavorite: isFavorite),
            to: request,
            headers: cacheControl
        )
    }

    private var cacheControl: [String: String] {
        ["Cache-Control": configuration.cacheControl]
    }
}
