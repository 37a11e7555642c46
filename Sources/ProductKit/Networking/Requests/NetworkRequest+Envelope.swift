import Foundation

extension NetworkRequest where Output: Decodable {
    /// Returns a request that decodes its output inside of an envelope such as `{"data": {"product": …}}`.
    ///
    /// ```swift
    /// let product = NetworkRequest<Product>.get("products", id).inside("data.product")
    /// ```
    ///
    /// If the output is optional, the last member of the path may be missing or `null`. Errors contain the
    /// complete path. Call this method before ``map(_:)``: it replaces the decoding.
    public func inside(_ path: MemberPath) -> NetworkRequest {
        decoding(at: path) { response in try response.json(at: path) }
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
