extension Page {
    /// The same page with something else made of every element.
    ///
    /// An element for which `transform` throws goes to ``rejected`` with its place on the page, as
    /// if it had not been readable; the others are kept. To tell which member was wrong, throw a
    /// `DecodingError`, as ``MemberPath/reading(_:)`` does.
    ///
    /// - Parameter transform: Makes the new element, such as a product from what a backend calls
    ///   one.
    /// - Returns: A page with the same ``next``, ``total`` and ``source``.
    public func map<NewElement>(
        _ transform: (Element) throws -> NewElement
    ) -> Page<NewElement> {
        var page = Page<NewElement>([], next: next, total: total, rejected: rejected)
        page.source = source
        let gaps = Set(rejected.map(\.index))
        var index = 0
        for item in items {
            while gaps.contains(index) { index += 1 }
            do {
                page.items.append(try transform(item))
            } catch {
                page.rejected.append(RejectedElement(index: index, error))
            }
            index += 1
        }
        page.rejected.sort { $0.index < $1.index }
        return page
    }
}
