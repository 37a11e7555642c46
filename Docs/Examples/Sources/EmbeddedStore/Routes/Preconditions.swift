import Foundation

/// The `If-Match` and `If-None-Match` fields of a request (RFC 9110 §13.1).
struct Preconditions {
    /// The tags in a field, or `*` for any tag.
    private enum Tags {
        case any
        case some([String])

        init(_ field: String) {
            let tags = field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            self = tags == ["*"] ? .any : .some(tags)
        }

        func contain(_ tag: String) -> Bool {
            switch self {
            case .any: true
            case .some(let tags): tags.contains(tag)
            }
        }
    }

    private let ifMatch: Tags?
    private let ifNoneMatch: Tags?

    init(_ request: StoreRequest) {
        ifMatch = request.header("If-Match").map(Tags.init)
        ifNoneMatch = request.header("If-None-Match").map(Tags.init)
    }

    /// Returns whether the client has the current version, by weak comparison (RFC 9110 §13.1.2).
    func isCurrent(_ tag: EntityTag) -> Bool {
        guard let ifNoneMatch else { return false }
        return ifNoneMatch.contain(tag.text) || ifNoneMatch.contain("W/" + tag.text)
    }

    /// Returns whether the preconditions allow a write.
    ///
    /// - Parameter tag: The tag of the current version, or `nil` if the resource does not exist.
    /// - Returns: Whether the write is allowed.
    func allowsWriting(over tag: EntityTag?) -> Bool {
        if let ifMatch {
            guard let tag, ifMatch.contain(tag.text) else { return false }
        }
        guard let ifNoneMatch, let tag else { return true }
        return !ifNoneMatch.contain(tag.text)
    }

    /// Whether the request may create the resource but not replace it (`If-None-Match: *`).
    var onlyCreates: Bool {
        if case .any = ifNoneMatch { return true }
        return false
    }
}
