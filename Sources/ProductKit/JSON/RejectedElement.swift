import Foundation

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
