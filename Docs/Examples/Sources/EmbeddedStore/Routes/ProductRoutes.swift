import Foundation

extension StoreRouter {
    func productPage(
        _ request: StoreRequest,
        for user: String,
        in state: StoreState
    ) throws(Problem) -> StoreResponse {
        let items = try QueryItems(request.query)
        let paging = try Paging(items)
        let text = items["q"] ?? ""
        guard text.unicodeScalars.count <= 200 else {
            throw Problem(400, detail: "A search text has at most 200 characters.")
        }
        let ids = items.values(of: "ids")
        guard ids.count <= 100, ids.allSatisfy({ (1...255).contains($0.unicodeScalars.count) })
        else {
            throw Problem(400, detail: "At most 100 identifiers of 1 to 255 characters.")
        }
        let favorites = state[shelfOf: user].favorites
        let page = paging.page(
            of: state.cards(matching: text, among: ids.isEmpty ? nil : Set(ids)),
            path: request.path,
            position: \.position,
            document: { $0.document(isFavorite: favorites[$0.product.id] != nil) }
        )
        return answer(
            page.document,
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
        guard let card = state.card(id) else { throw .noSuchProduct(id) }
        let isFavorite = state[shelfOf: user].favorites[id] != nil
        return answer(
            card.document(isFavorite: isFavorite),
            to: request,
            headers: cacheControl
        )
    }

    private var cacheControl: [String: String] {
        ["Cache-Control": configuration.cacheControl]
    }
}
