import Foundation

extension StoreRouter {
    func listPage(
        _ request: StoreRequest,
        for user: String,
        in state: StoreState
    ) throws(Problem) -> StoreResponse {
        let page = try Pagination(QueryItems(request.query)).page(
            of: state[dataOf: user].lists,
            path: request.path,
            includesTotal: false,
            position: \.position,
            document: \.document
        )
        return response(with: page.document, to: request, headers: page.headers)
    }

    func list(
        _ id: String,
        _ request: StoreRequest,
        for user: String,
        in state: StoreState
    ) throws(Problem) -> StoreResponse {
        guard let entry = state[dataOf: user].list(id) else { throw .noSuchList(id) }
        return response(with: entry.document, to: request)
    }

    func putList(
        _ id: String,
        _ request: StoreRequest,
        for user: String,
        in state: inout StoreState
    ) throws(Problem) -> StoreResponse {
        let draft = try ListDraft(request)
        let preconditions = Preconditions(request)
        let known = state[dataOf: user].list(id)
        if let known, preconditions.onlyCreates, known.list.name == draft.name {
            return StoreResponse(known.document)
        }
        guard preconditions.allowsWriting(over: known?.document.tag) else {
            throw preconditionFailed(known)
        }
        if known == nil {
            state[dataOf: user].createList(id, name: draft.name, at: configuration.now())
        } else {
            state[dataOf: user].changeList(id, at: configuration.now()) { $0.name = draft.name }
        }
        guard let entry = state[dataOf: user].list(id) else { throw .noSuchList(id) }
        return StoreResponse(status: known == nil ? 201 : 200, entry.document)
    }

    func deleteList(
        _ id: String,
        _ request: StoreRequest,
        for user: String,
        in state: inout StoreState
    ) throws(Problem) -> StoreResponse {
        if let known = state[dataOf: user].list(id) {
            guard Preconditions(request).allowsWriting(over: known.document.tag) else {
                throw preconditionFailed(known)
            }
            state[dataOf: user].deleteList(id)
        }
        return StoreResponse(status: 204)
    }

    func addProduct(
        _ productID: String,
        toList listID: String,
        for user: String,
        in state: inout StoreState
    ) throws(Problem) -> StoreResponse {
        guard let entry = state[dataOf: user].list(listID) else { throw .noSuchList(listID) }
        guard !entry.list.products.contains(productID) else { return responseToWrite(entry) }
        guard state.entry(productID) != nil else { throw .noSuchProduct(productID) }
        state[dataOf: user].changeList(listID, at: configuration.now()) {
            $0.products.append(productID)
        }
        return responseToWrite(state[dataOf: user].list(listID))
    }

    func removeProduct(
        _ productID: String,
        fromList listID: String,
        for user: String,
        in state: inout StoreState
    ) -> StoreResponse {
        state[dataOf: user].changeList(listID, at: configuration.now()) { list in
            list.products.removeAll { $0 == productID }
        }
        return responseToWrite(state[dataOf: user].list(listID))
    }

    private func responseToWrite(_ entry: UserData.ListEntry?) -> StoreResponse {
        StoreResponse(status: 204, headers: tag(of: entry))
    }

    private func preconditionFailed(_ entry: UserData.ListEntry?) -> Problem {
        Problem(
            412,
            detail: entry == nil ? "There is no such list." : "The list has another version.",
            headers: tag(of: entry)
        )
    }

    private func tag(of entry: UserData.ListEntry?) -> [String: String] {
        entry.map { ["ETag": $0.document.tag.text] } ?? [:]
    }
}
