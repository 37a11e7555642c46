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

/// The place where a page begins, in the words of the loader that made it.
///
/// It may hold a backend's cursor, an offset or a URL; nobody but that loader looks inside. The
/// default loader follows the query of an http address, on the origin of its base URL only.
public struct PageCursor: Hashable, Sendable {
    /// The loader's own text.
    public let rawValue: String

    /// Creates a cursor from the loader's own text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension PageCursor: ExpressibleByStringInterpolation {
    /// Creates a cursor from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension PageCursor: Codable {
    /// Reads a JSON string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// An element of a page, or of another array, that could not be read.
public struct RejectedElement: Hashable, Sendable {
    /// Where it stood on its page or in its whole array, counted from 0.
    public let index: Int
    /// The member that was wrong, such as `prices[1].amount`; empty for the element itself.
    public let member: String
    /// What was wrong with it.
    public let reason: String

    /// Creates a report of an element that could not be read.
    public init(index: Int, member: String, reason: String) {
        self.index = index
        self.member = member
        self.reason = reason
    }
}
