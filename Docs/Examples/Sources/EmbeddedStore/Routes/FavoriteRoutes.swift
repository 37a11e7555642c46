import Foundation

extension StoreRouter {
    func favoritePage(
        _ request: StoreRequest,
        for user: String,
        in state: StoreState
    ) throws(Problem) -> StoreResponse {
        let page = try Pagination(QueryItems(request.query)).page(
            of: state.favoriteEntries(of: user),
            path: request.path,
            position: \.position,
            document: { $0.entry.document(isFavorite: true) }
        )
        return response(with: page.document, to: request, headers: page.headers)
    }

    func addFavorite(
        _ id: String,
        for user: String,
        in state: inout StoreState
    ) throws(Problem) -> StoreResponse {
        guard let entry = state.entry(id) else { throw .noSuchProduct(id) }
        state[dataOf: user].addFavorite(id)
        return responseToWrite(entry, isFavorite: true)
    }

    func removeFavorite(
        _ id: String,
        for user: String,
        in state: inout StoreState
    ) -> StoreResponse {
        state[dataOf: user].removeFavorite(id)
        return responseToWrite(state.entry(id), isFavorite: false)
    }

    private func responseToWrite(_ entry: CatalogEntry?, isFavorite: Bool) -> StoreResponse {
        guard configuration.returnsProductForFavorites, let entry else {
            return StoreResponse(status: 204)
        }
        return StoreResponse(entry.document(isFavorite: isFavorite))
    }
}
