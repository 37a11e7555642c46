import Foundation

/// The decodable elements of a JSON array, and a report of each element that cannot be decoded.
struct TolerantElements<Element: Decodable>: Decodable {
    private(set) var items: [Element] = []
    private(set) var rejected = RejectedElements()

    /// The number of elements in the array.
    var count: Int { items.count + rejected.count }

    /// The number of rejected elements, or of reported members, after which the rest of an array is not decoded.
    ///
    /// To reject an element takes longer than to decode one. An array of millions of invalid
    /// elements would otherwise occupy a processor for half a minute.
    private static var maximumRejectedCount: Int { 10_000 }

    init() {}

    /// Decodes an array; `null` is an empty one, as servers in Go write it.
    init(from decoder: any Decoder) throws {
        guard try !decoder.singleValueContainer().decodeNil() else {
            self.init()
            return
        }
        var elements = try decoder.unkeyedContainer()
        try self.init(in: &elements)
    }

    /// Decodes the remaining elements of a container, and rejects those that cannot be decoded.
    init(in elements: inout any UnkeyedDecodingContainer) throws {
        // The number of elements is up to the server, and so would be the size of the memory.
        items.reserveCapacity(min(elements.count ?? 0, 1_000))
        let reporting = Element.self as? any MemberReporting.Type
        var reportCount = 0
        while !elements.isAtEnd {
            do {
                let item = try elements.decode(Element.self)
                items.append(item)
                reportCount += reporting?.reportCount(of: item) ?? 0
                if reportCount >= Self.maximumRejectedCount, let count = elements.count {
                    rejected.appendUnreported(count: count - elements.currentIndex)
                    return
                }
            } catch {
                let (index, depth) = (elements.currentIndex, elements.codingPath.count + 1)
                rejected.append(RejectedElement(index: index, error, droppingFirst: depth))
                if rejected.count == Self.maximumRejectedCount, let count = elements.count {
                    rejected.appendUnreported(count: count - index - 1)
                    return
                }
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
    /// The number of reports of a value of this type.
    fileprivate static func reportCount(of value: some Any) -> Int {
        (value as? Self)?.reportCount ?? 0
    }
}

/// Any JSON value, which is decoded and discarded.
struct IgnoredValue: Decodable {
    init(from decoder: any Decoder) {}
}
