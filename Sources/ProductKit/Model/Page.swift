/// One page of a longer list, and where the next one begins.
///
/// ```swift
/// let page = Page([boots], next: "2")
/// ```
public struct Page<Element> {
    /// The elements, in the backend's order.
    public var items: [Element]
    /// Where the next page begins; `nil` on the last.
    public var next: PageCursor?
    /// How many elements all pages hold together; `nil` when the backend does not tell.
    public var total: Int?
    /// What stood on the page but could not be read; it costs no other element.
    public var rejected: [RejectedElement]
    /// Where the page came from: the server, unless a cache says otherwise.
    public var source = FetchSource.network

    /// Creates a page.
    public init(
        _ items: [Element],
        next: PageCursor? = nil,
        total: Int? = nil,
        rejected: [RejectedElement] = []
    ) {
        self.items = items
        self.next = next
        self.total = total
        self.rejected = rejected
    }
}

extension Page: Sendable where Element: Sendable {}
extension Page: Equatable where Element: Equatable {}
extension Page: Hashable where Element: Hashable {}
