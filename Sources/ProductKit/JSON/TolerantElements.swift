import Foundation

/// The decodable elements of a JSON array, and a report of each element that cannot be decoded.
struct TolerantElements<Element: Decodable>: Decodable {
    private(set) var items: [Element] = []
    private(set) var rejected: [RejectedElement] = []

    /// The number of elements in the array.
    var count: Int { items.count + rejected.count }

    init() {}

    init(from decoder: any Decoder) throws {
        var elements = try decoder.unkeyedContainer()
        try self.init(in: &elements)
    }

    /// Decodes the remaining elements of a container, and rejects those that cannot be decoded.
    init(in elements: inout any UnkeyedDecodingContainer) throws {
        items.reserveCapacity(elements.count ?? 0)
        while !elements.isAtEnd {
            do {
                items.append(try elements.decode(Element.self))
            } catch {
                let depth = elements.codingPath.count + 1
                rejected.append(
                    RejectedElement(index: elements.currentIndex, error, droppingFirst: depth)
                )
                // After an error, the container is still at the same element.
                _ = try elements.decode(IgnoredValue.self)
            }
        }
    }

    /// Returns the same elements with a number added to the index of each rejected element.
    func offsettingIndices(by offset: Int) -> TolerantElements {
        var elements = self
        elements.rejected = rejected.map { element in
            RejectedElement(
                index: element.index + offset,
                member: element.member,
                reason: element.reason
            )
        }
        return elements
    }

    /// Appends the elements of another array.
    mutating func append(_ other: TolerantElements) {
        items += other.items
        rejected += other.rejected
    }

    /// Appends the report of an element that cannot be decoded.
    mutating func reject(_ element: RejectedElement) {
        rejected.append(element)
    }
}

/// Any JSON value, which is decoded and discarded.
struct IgnoredValue: Decodable {
    init(from decoder: any Decoder) {}
}

/// A report of an array element that cannot be decoded.
public struct RejectedElement: Hashable, Sendable {
    /// The index of the element on its page or in its streamed array, counted from 0.
    public let index: Int
    /// The path of the invalid member, such as `prices[1].amount`; empty for the element itself.
    public let member: String
    /// The problem, as one sentence.
    public let reason: String

    /// Creates a report.
    package init(index: Int, member: String, reason: String) {
        self.index = index
        self.member = member
        self.reason = reason
    }
}

extension RejectedElement {
    /// Creates a report of an error.
    ///
    /// - Parameters:
    ///   - index: The index of the element.
    ///   - error: The error that was thrown for the element.
    ///   - depth: The number of leading coding keys to leave out, which lead to the element.
    init(index: Int, _ error: any Error, droppingFirst depth: Int = 0) {
        let cause = error as? DecodingError
        let reason = cause?.reason ?? (error as? any LocalizedError)?.errorDescription
        self.init(
            index: index,
            member: cause?.member(droppingFirst: depth) ?? "",
            reason: reason ?? "It cannot be read."
        )
    }
}
