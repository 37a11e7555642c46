import Foundation

/// The decodable elements of a JSON array, and a report of each element that cannot be decoded.
struct TolerantElements<Element: Decodable>: Decodable {
    private(set) var items: [Element] = []
    private(set) var rejected = RejectedElements()

    /// The number of rejected elements, or of reported members, after which the rest of an array is not decoded.
    ///
    /// Without a limit, an array of millions of invalid elements would occupy a processor for half a minute.
    private static var maximumRejectedCount: Int { 10_000 }

    init() {}

    /// Decodes an array; `null` is an empty one, as servers in Go write it.
    init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decodeNil() { return }
        var elements = try decoder.unkeyedContainer()
        // The number of elements is up to the server, and so would be the size of the memory.
        items.reserveCapacity(min(elements.count ?? 0, 1_000))
        let reporting = Element.self as? any MemberReporting.Type
        var reportCount = 0
        while !elements.isAtEnd {
            if max(rejected.count, reportCount) >= Self.maximumRejectedCount,
                let count = elements.count
            {
                rejected.unreportedCount += count - elements.currentIndex
                return
            }
            do {
                let item = try elements.decode(Element.self)
                items.append(item)
                reportCount += reporting?.reportCount(of: item) ?? 0
            } catch {
                let (index, depth) = (elements.currentIndex, elements.codingPath.count + 1)
                rejected.append(RejectedElement(index: index, error, droppingFirst: depth))
                // After an error, the container is still at the same element.
                _ = try elements.decode(IgnoredValue.self)
            }
        }
    }
}

/// A value that reports members that cannot be decoded.
protocol MemberReporting {
    /// The number of reports.
    var reportCount: Int { get }
}

extension MemberReporting {
    fileprivate static func reportCount(of value: some Any) -> Int {
        (value as? Self)?.reportCount ?? 0
    }
}

/// Any JSON value, which is decoded and discarded.
struct IgnoredValue: Decodable {
    init(from decoder: any Decoder) {}
}
