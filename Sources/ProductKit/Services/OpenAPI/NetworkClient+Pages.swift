extension NetworkClient {
    /// Loads a page by the server's word or, when that cannot be had, as it is stored.
    func page<Element>(
        _ request: NetworkRequest<Page<Element>>,
        after cursor: PageCursor?
    ) async throws -> Page<Element> {
        try await send(request.following(cursor, from: baseURL).fetching(.confirmedOrStored))
    }
}
