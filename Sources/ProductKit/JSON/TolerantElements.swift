import Foundation

/// The elements of an array that could be read, and a report of each other one.
struct TolerantElements<Element: Decodable>: Decodable {
    private(set) var items: [Element] = []
    private(set) var rejected: [RejectedElement] = []

    /// How many elements there were.
    var count: Int { items.count + rejected.count }

    init() {}

    init(from decoder: any Decoder) throws {
        var elements = try decoder.unkeyedContainer()
        try self.init(in: &elements)
    }

    /// Reads what is left in a container; an element that cannot be read costs no other.
    init(in elements: inout any UnkeyedDecodingContainer) throws {
        items.reserveCapacity(elements.count ?? 0)
        while !elements.isAtEnd {
            do {
                items.append(try elements.decode(Element.self))
            } catch {
                let depth = elements.codingPath.count + 1
                rejected.append(
                    RejectedElement(index: elements.currentIndex, error, below: depth)
                )
                // A container stays at the element that failed; an empty type takes it past.
                _ = try elements.decode(AnyJSON.self)
            }
        }
    }

    /// The same elements, as if the first of them stood at this place of its array.
    func counted(from index: Int) -> TolerantElements {
        var elements = self
        elements.rejected = rejected.map { element in
            RejectedElement(
                index: element.index + index,
                member: element.member,
                reason: element.reason
            )
        }
        return elements
    }

    /// Adds the elements of another array.
    mutating func append(_ other: TolerantElements) {
        items += other.items
        rejected += other.rejected
    }

    /// Adds the report of an element that could not be read.
    mutating func reject(_ element: RejectedElement) {
        rejected.append(element)
    }
}

/// Whatever a decoder takes for a value.
struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
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

extension RejectedElement {
    /// Creates a report from what was thrown, without the steps that lead to the element.
    init(index: Int, _ error: any Error, below depth: Int = 0) {
        let cause = error as? DecodingError
        let reason = cause?.reason ?? (error as? any LocalizedError)?.errorDescription
        self.init(
            index: index,
            member: cause?.member(below: depth) ?? "",
            reason: reason ?? "It cannot be read."
        )
    }
}
