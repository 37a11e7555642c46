import Foundation

extension StoreRouter {
    func favoritePage(
        _ request: StoreRequest,
        for user: String,
        in state: StoreState
    ) throws(Problem) -> StoreResponse {
        let page = try Paging(QueryItems(request.query)).page(
            of: state.favoriteCards(of: user),
            path: request.path,
            position: \.position,
            document: { $0.card.document(isFavorite: true) }
        )
        return answer(page.document, to: request, headers: page.headers)
    }

    func addFavorite(
        _ id: String,
        for user: String,
        in state: inout StoreState
    ) throws(Problem) -> StoreResponse {
        guard let card = state.card(id) else { throw .noSuchProduct(id) }
        state[shelfOf: user].addFavorite(id)
        return written(card, isFavorite: true)
    }

    func removeFavorite(
        _ id: String,
        for user: String,
        in state: inout StoreState
    ) -> StoreResponse {
        state[shelfOf: user].removeFavorite(id)
        return written(state.card(id), isFavorite: false)
    }

    private func written(_ card: CatalogCard?, isFavorite: Bool) -> StoreResponse {
        guard configuration.answersFavoritesWithProduct, let card else {
            return StoreResponse(status: 204)
        }
        return StoreResponse(card.document(isFavorite: isFavorite))
    }
}
