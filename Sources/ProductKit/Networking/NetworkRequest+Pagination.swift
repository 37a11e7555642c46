public import Foundation

extension NetworkRequest {
    /// The same request, or the one for the page at the address that a cursor holds.
    ///
    /// Of an address only the query is followed; the path stays the request's own, and so does the
    /// machine. A cursor that is no http address changes nothing: put it where the backend wants it.
    ///
    /// ```swift
    /// let request = try NetworkRequest<Page<Product>>.get("goods", query: ["q": "boots"])
    ///     .following(cursor, from: client.baseURL)
    /// ```
    ///
    /// - Parameters:
    ///   - cursor: Where the page begins; `nil` for the first one.
    ///   - baseURL: The address of the client that will send the request.
    /// - Returns: The request for that page.
    /// - Throws: ``NetworkError`` with code `redirect` for an address of another origin: nobody else
    ///   gets what is sent to this one.
    public func following(_ cursor: PageCursor?, from baseURL: URL) throws -> NetworkRequest {
        guard let cursor, var address = cursor.address(relativeTo: baseURL),
            ["http", "https"].contains(address.scheme?.lowercased()),
            address.host?.isEmpty == false, let url = address.url
        else { return self }
        guard url.hasSameOrigin(as: baseURL) else {
            throw NetworkError(
                .redirect,
                reason: "The next page is said to be on another server, at "
                    + "“\(url.withoutSecrets?.absoluteString ?? "")”. It was not asked for; "
                    + "correct what the server gives as next page."
            )
        }
        // The base URL's own query goes along anyway.
        let base = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)?.queryItems ?? []
        // Servers that write a plus mean a blank; a true plus is escaped.
        address.percentEncodedQuery = address.percentEncodedQuery?.replacing("+", with: "%20")
        var request = self
        request.query = (address.queryItems ?? []).filter { !base.contains($0) }
        return request
    }
}

extension PageCursor {
    /// The address that it is, if it is one; a relative one shows itself by its query.
    fileprivate func address(relativeTo baseURL: URL) -> URLComponents? {
        guard ["/", "?"].contains(rawValue.first), rawValue.contains("?") else {
            return URLComponents(string: rawValue)
        }
        return URL(string: rawValue, relativeTo: baseURL).flatMap { url in
            URLComponents(url: url, resolvingAgainstBaseURL: true)
        }
    }
}
