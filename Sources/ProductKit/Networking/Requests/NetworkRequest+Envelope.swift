import Foundation

extension NetworkRequest where Output: Decodable {
    /// Returns a request that decodes its output inside of an envelope such as
    /// `{"data": {"product": …}}`.
    ///
    /// ```swift
    /// let product = NetworkRequest<Product>.get("products", id).inside("data.product")
    /// ```
    ///
    /// Call this method before ``map(_:)``: it replaces the decoding.
    ///
    /// - Parameter path: The path of the output. If the output is optional, the last member may be
    ///   missing or `null`.
    /// - Returns: A request that decodes only this member; errors contain the complete path.
    public func inside(_ path: MemberPath) -> NetworkRequest {
        var request = self
        request.parts.path = path
        request.decode = { response in try response.json(at: path) }
        return request
    }

    /// Returns a request that decodes a page from members of a backend's own format.
    ///
    /// ```swift
    /// let page = NetworkRequest<Page<Product>>.get("goods")
    ///     .page(items: "result.goods", next: "links.next", total: "count")
    /// ```
    ///
    /// Call this method before ``map(_:)``: it replaces the decoding.
    ///
    /// - Parameters:
    ///   - items: The path of the array; empty if the whole body is the array. Elements that cannot
    ///     be decoded are in ``Page/rejected``.
    ///   - next: The path of the cursor of the next page, a string or an integer. If it is missing,
    ///     `null` or empty, this page is the last.
    ///   - hasNext: The path of a Boolean value that is `false` on the last page, although it has a
    ///     cursor, as in GraphQL: `"data.products.pageInfo.hasNextPage"`. It may be missing.
    ///   - total: The path of the number of elements on all pages. It may be missing.
    /// - Returns: A request for the page.
    public func page<Element: Decodable>(
        items: MemberPath = [],
        next: MemberPath? = nil,
        hasNext: MemberPath? = nil,
        total: MemberPath? = nil
    ) -> NetworkRequest where Output == Page<Element> {
        decoding(PageFormat(items: items, next: next, hasNext: hasNext, total: total))
    }

    /// Returns a request that decodes a page of a backend that counts with offsets.
    ///
    /// The cursor of the next page is its offset, as long as it is less than the total:
    ///
    /// ```swift
    /// let offset = cursor?.offset ?? 0
    /// let page = NetworkRequest<Page<Product>>.get("goods", query: ["skip": "\(offset)"])
    ///     .page(items: "goods", total: "count", offset: offset)
    /// ```
    ///
    /// Call this method before ``map(_:)``: it replaces the decoding.
    ///
    /// - Parameters:
    ///   - items: The path of the array; empty if the whole body is the array. Elements that cannot
    ///     be decoded are in ``Page/rejected``, and count for the offset.
    ///   - total: The path of the number of elements on all pages. If it is missing, this page is
    ///     the last. If it is not a number, a page without elements is the last.
    ///   - offset: The offset of this page, the number of elements before it; less than 0 counts as
    ///     0.
    /// - Returns: The request for the page.
    public func page<Element: Decodable>(
        items: MemberPath = [],
        total: MemberPath,
        offset: Int
    ) -> NetworkRequest where Output == Page<Element> {
        decoding(PageFormat(items: items, total: total)).map { page, _ in
            var page = page
            let count = page.items.count + page.rejectedCount
            let (end, overflows) = max(0, offset).addingReportingOverflow(count)
            // If the total is not a number, a page without elements is the last one.
            let total = page.total ?? (page.invalidMembers.isEmpty ? 0 : .max)
            if count > 0, !overflows, end < total {
                page.next = PageCursor(rawValue: String(end))
            }
            return page
        }
    }

    /// Returns a request that decodes a page in a format.
    func decoding<Element: Decodable>(
        _ format: PageFormat
    ) -> NetworkRequest where Output == Page<Element> {
        var request = self
        request.parts.path = []
        request.decode = { response in
            try response.decodeJSON { text, decoder in
                try decoder
                    .decodeGuarded(PageEnvelope<Element>.self, from: text, configuration: format)
                    .page
            }
        }
        return request
    }
}
