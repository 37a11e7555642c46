import Foundation

extension NetworkRequest where Output: Decodable {
    /// The same request whose answer stands inside of others, as in `{"data": {"product": …}}`.
    ///
    /// ```swift
    /// let product = NetworkRequest<Product>.get("products", id).inside("data.product")
    /// ```
    ///
    /// It replaces how the answer was read so far: put it in front of ``map(_:)``. Only for an
    /// optional output may the last member be missing or `null`.
    ///
    /// - Parameter path: The members that lead to what is wanted.
    /// - Returns: A request that reads just that; an error names the member with its whole path.
    public func inside(_ path: MemberPath) -> NetworkRequest {
        var request = self
        request.path = path
        request.decode = { response in try response.json(at: path) }
        return request
    }

    /// The same request whose answer is a page under names of the backend's own.
    ///
    /// ```swift
    /// let page = NetworkRequest<Page<Product>>.get("goods")
    ///     .page(items: "result.goods", next: "links.next", total: "count")
    /// ```
    ///
    /// It replaces how the answer was read so far: put it in front of ``map(_:)``.
    ///
    /// - Parameters:
    ///   - items: Where the array stands; the empty path when it is the whole answer. Elements that
    ///     cannot be read go to ``Page/rejected``.
    ///   - next: Where the next page's cursor stands, a text or a whole number. Missing, `null` and
    ///     empty mean that this page is the last.
    ///   - total: Where the number of all elements stands; it may be missing.
    /// - Returns: A request for the page.
    public func page<Element: Decodable>(
        items: MemberPath = [],
        next: MemberPath? = nil,
        total: MemberPath? = nil
    ) -> NetworkRequest where Output == Page<Element> {
        let members = PageMembers(items: items, next: next, total: total)
        var request = self
        request.path = []
        request.decode = { response in
            try response.decoded { text, decoder in
                try decoder
                    .decodeGuarded(PageEnvelope<Element>.self, from: text, configuration: members)
                    .page
            }
        }
        return request
    }
}
