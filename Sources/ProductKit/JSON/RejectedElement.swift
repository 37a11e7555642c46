import Foundation

/// A report of an array element that cannot be decoded.
public struct RejectedElement: Hashable, Sendable {
    /// The index of the element on its page, counted from 0.
    public let index: Int
    /// The path of the invalid member, such as `prices[1].amount`; empty for the element itself.
    ///
    /// At most 1 KiB in UTF-8; the rest is cut off.
    public let member: String
    /// The problem, as one sentence of at most 1 KiB in UTF-8.
    public let reason: String

    /// Creates a report; longer texts are cut off.
    package init(index: Int, member: String, reason: String) {
        self.index = index
        self.member = member.prefix(bytes: DecodingError.maximumTextSize)
        self.reason = reason.prefix(bytes: DecodingError.maximumTextSize)
    }

    /// Creates a report of an error, without the leading coding keys that lead to the element.
    init(index: Int, _ error: any Error, droppingFirst depth: Int = 0) {
        let cause = (error as? any DecodingErrorHolding)?.decodingError
        let member = (error as? DecodingError)?.member(droppingFirst: depth) ?? cause?.member()
        let reason =
            (error as? DecodingError ?? cause)?.reason
            ?? (error is any LocalizedError ? error.developerText : nil)
        self.init(index: index, member: member ?? "", reason: reason ?? "It cannot be read.")
    }
}

/// An error that a `DecodingError` may have caused, such as ``NetworkError``.
protocol DecodingErrorHolding: Error {
    /// The error that caused this one; `nil` for another cause.
    var decodingError: DecodingError? { get }
}

/// The reports of the first 1,000 elements that cannot be decoded, and the number of all of them.
struct RejectedElements: Hashable, Sendable {
    private static let maximumReportCount = 1_000

    /// The reports; further ones are counted and removed.
    var reports: [RejectedElement] = [] {
        didSet {
            let excess = reports.count - Self.maximumReportCount
            guard excess > 0 else { return }
            reports.removeLast(excess)
            unreportedCount += excess
        }
    }
    /// The number of elements without a report.
    var unreportedCount = 0

    /// The number of elements, including those without a report.
    var count: Int { reports.count + unreportedCount }

    /// Appends a report, or only counts it if there are 1,000 already.
    mutating func append(_ report: @autoclosure () -> RejectedElement) {
        if reports.count < Self.maximumReportCount {
            reports.append(report())
        } else {
            unreportedCount += 1
        }
    }

    /// Appends the elements of another array, with a number added to each index.
    mutating func append(_ other: RejectedElements, offset: Int) {
        unreportedCount += other.unreportedCount
        reports += other.reports.map { report in
            RejectedElement(
                index: report.index + offset,
                member: report.member,
                reason: report.reason
            )
        }
    }
}
