import Foundation

/// A pure function from a request and a state to a response and a new state.
struct StoreRouter: Sendable {
    let configuration: EmbeddedStore.Configuration

    /// Returns the response to a request.
    ///
    /// `HEAD` is handled as `GET`, without the body.
    func response(to request: StoreRequest, in state: inout StoreState) -> StoreResponse {
        let response: StoreResponse
        do {
            response = try route(request, in: &state)
        } catch {
            response = error.response(to: request)
        }
        return request.method == "HEAD" ? response.withoutBody() : response
    }

    private func route(
        _ request: StoreRequest,
        in state: inout StoreState
    ) throws(Problem) -> StoreResponse {
        let user = try user(of: request, in: state)
        guard request.isWrite, let text = request.header("Idempotency-Key") else {
            return try route(request, of: user, in: &state)
        }
        let key = CompletedRequests.Key(user: user, text: text)
        if let response = try state.completedRequests.response(to: request, key: key) {
            return response
        }
        // A request that fails has changed nothing, so it may be sent again with the same key.
        let response = try route(request, of: user, in: &state)
        state.completedRequests.add(response, to: request, key: key)
        return response
    }

    private func route(
        _ request: StoreRequest,
        of user: String,
        in state: inout StoreState
    ) throws(Problem) -> StoreResponse {
        let resource = try Resource(path: request.path)
        guard !request.isTooLarge else {
            throw Problem(
                413,
                detail: "The body must have at most \(configuration.maximumBodySize) bytes."
            )
        }
        switch (request.method, resource) {
        case ("GET", .products), ("HEAD", .products):
            return try productPage(request, for: user, in: state)
        case ("GET", .product(let id)), ("HEAD", .product(let id)):
            return try product(id, request, for: user, in: state)
        case ("GET", .favorites), ("HEAD", .favorites):
            return try favoritePage(request, for: user, in: state)
        case ("PUT", .favorite(let id)):
            return try addFavorite(id, for: user, in: &state)
        case ("DELETE", .favorite(let id)):
            return removeFavorite(id, for: user, in: &state)
        case ("GET", .lists), ("HEAD", .lists):
            return try listPage(request, for: user, in: state)
        case ("GET", .list(let id)), ("HEAD", .list(let id)):
            return try list(id, request, for: user, in: state)
        case ("PUT", .list(let id)):
            return try putList(id, request, for: user, in: &state)
        case ("DELETE", .list(let id)):
            return try deleteList(id, request, for: user, in: &state)
        case ("PUT", .listedProduct(let id, let list)):
            return try addProduct(id, toList: list, for: user, in: &state)
        case ("DELETE", .listedProduct(let id, let list)):
            return removeProduct(id, fromList: list, for: user, in: &state)
        default:
            throw Problem(405, headers: ["Allow": resource.methods])
        }
    }

    /// Returns the user of the bearer token.
    private func user(of request: StoreRequest, in state: StoreState) throws(Problem) -> String {
        let words = request.header("Authorization")?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw Problem(
                401,
                detail: "The bearer token is missing.",
                headers: ["WWW-Authenticate": "Bearer"]
            )
        }
        guard let user = state.tokens[String(words[1])] else {
            throw Problem(
                401,
                detail: "The bearer token is unknown or has expired.",
                headers: ["WWW-Authenticate": #"Bearer error="invalid_token""#]
            )
        }
        return user
    }
}

extension StoreRouter {
    /// Returns a response with a document, or 304 if the client already has it.
    func response(
        with document: Document,
        to request: StoreRequest,
        headers: [String: String] = [:]
    ) -> StoreResponse {
        var response = StoreResponse(document)
        response.headers.merge(headers) { _, new in new }
        guard Preconditions(request).isCurrent(document.tag) else { return response }
        response.status = 304
        response.headers["Content-Type"] = nil
        return response.withoutBody()
    }
}

extension StoreResponse {
    /// Creates a response with a document and its entity tag.
    init(status: Int = 200, _ document: Document) {
        let headers = ["Content-Type": "application/json", "ETag": document.tag.text]
        self.init(status: status, headers: headers, body: document.json)
    }
}
