import Foundation

extension StoreRouter {
    func listPage(
        _ request: StoreRequest,
        for user: String,
        in state: StoreState
    ) throws(Problem) -> StoreResponse {
        let page = try Paging(QueryItems(request.query)).page(
            of: state[shelfOf: user].lists,
            path: request.path,
            tellsTotal: false,
            position: \.position,
            document: \.document
        )
        return answer(page.document, to: request, headers: page.headers)
    }

    func list(
        _ id: String,
        _ request: StoreRequest,
        for user: String,
        in state: StoreState
    ) throws(Problem) -> StoreResponse {
        guard let card = state[shelfOf: user].list(id) else { throw .noSuchList(id) }
        return answer(card.document, to: request)
    }

    func putList(
        _ id: String,
        _ request: StoreRequest,
        for user: String,
        in state: inout StoreState
    ) throws(Problem) -> StoreResponse {
        let draft = try ListDraft(request)
        let preconditions = Preconditions(request)
        let known = state[shelfOf: user].list(id)
        if let known, preconditions.onlyCreates, known.list.name == draft.name {
            return StoreResponse(known.document)
        }
        guard preconditions.allowWriting(over: known?.document.tag) else {
            throw preconditionFailed(known)
        }
        if known == nil {
            state[shelfOf: user].createList(id, name: draft.name, at: configuration.now())
        } else {
            state[shelfOf: user].changeList(id, at: configuration.now()) { $0.name = draft.name }
        }
        guard let card = state[shelfOf: user].list(id) else { throw .noSuchList(id) }
        return StoreResponse(status: known == nil ? 201 : 200, card.document)
    }

    func deleteList(
        _ id: String,
        _ request: StoreRequest,
        for user: String,
        in state: inout StoreState
    ) throws(Problem) -> StoreResponse {
        if let known = state[shelfOf: user].list(id) {
            guard Preconditions(request).allowWriting(over: known.document.tag) else {
                throw preconditionFailed(known)
            }
            state[shelfOf: user].deleteList(id)
        }
        return StoreResponse(status: 204)
    }

    func addProduct(
        _ productID: String,
        toList listID: String,
        for user: String,
        in state: inout StoreState
    ) throws(Problem) -> StoreResponse {
        guard let card = state[shelfOf: user].list(listID) else { throw .noSuchList(listID) }
        guard !card.list.products.contains(productID) else { return written(card) }
        guard state.card(productID) != nil else { throw .noSuchProduct(productID) }
        state[shelfOf: user].changeList(listID, at: configuration.now()) {
            $0.products.append(productID)
        }
        return written(state[shelfOf: user].list(listID))
    }

    func removeProduct(
        _ productID: String,
        fromList listID: String,
        for user: String,
        in state: inout StoreState
    ) -> StoreResponse {
        state[shelfOf: user].changeList(listID, at: configuration.now()) { list in
            list.products.removeAll { $0 == productID }
        }
        return written(state[shelfOf: user].list(listID))
    }

    private func written(_ card: Shelf.ListCard?) -> StoreResponse {
        StoreResponse(status: 204, headers: tag(of: card))
    }

    private func preconditionFailed(_ card: Shelf.ListCard?) -> Problem {
        Problem(
            412,
            detail: card == nil ? "There is no such list." : "Another version is there.",
            headers: tag(of: card)
        )
    }

    private func tag(of card: Shelf.ListCard?) -> [String: String] {
        card.map { ["ETag": $0.document.tag.text] } ?? [:]
    }
}
