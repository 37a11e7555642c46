extension NetworkClient {
    /// Loads a page by the server's word or, when that cannot be had, as it is stored.
    func page<Element>(
        _ request: NetworkRequest<Page<Element>>,
        after cursor: PageCursor?
    ) async throws -> Page<Element> {
        let request = try request.following(cursor, from: baseURL).fetching(.confirmedOrStored)
        return try await send(
            request.map { page, response in
                var page = page
                page.source = response.source
                return page
            }
        )
    }
}
