import Foundation

/// What a request says about the version it expects.
struct Preconditions {
    /// The tags that a field names, or every one there is.
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

    /// Whether a reader has the current version, comparing weakly as RFC 9110 asks.
    func isCurrent(_ tag: EntityTag) -> Bool {
        guard let ifNoneMatch else { return false }
        return ifNoneMatch.contain(tag.text) || ifNoneMatch.contain("W/" + tag.text)
    }

    /// Whether a writer may go on, given the version that is there or nothing when none is.
    func allowWriting(over tag: EntityTag?) -> Bool {
        if let ifMatch {
            guard let tag, ifMatch.contain(tag.text) else { return false }
        }
        guard let ifNoneMatch, let tag else { return true }
        return !ifNoneMatch.contain(tag.text)
    }

    /// Whether the writer wants to create and nothing else.
    var onlyCreates: Bool {
        if case .any = ifNoneMatch { return true }
        return false
    }
}
