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
        request.parts.expectedProblems = []
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
    /// Call this method before ``map(_:)``: it replaces the decoding. The parameters are those of
    /// ``PageFormat/init(items:next:cursor:hasNext:total:)``.
    public func page<Element: Decodable>(
        items: MemberPath = [],
        next: MemberPath? = nil,
        hasNext: MemberPath? = nil,
        total: PageFormat.Count? = nil
    ) -> NetworkRequest where Output == Page<Element> {
        page(PageFormat(items: items, next: next, hasNext: hasNext, total: total))
    }
}
