import Foundation

extension DecodingError {
    /// The maximum size of the texts below, in bytes of UTF-8.
    ///
    /// A member name or a number can be as long as the whole JSON text.
    static let maximumTextSize = 1_024

    /// Returns the path of the invalid member without the first `depth` coding keys; empty for the decoded value itself.
    func member(droppingFirst depth: Int = 0) -> String {
        codingPath.dropFirst(depth).member
    }

    /// The coding keys that lead to the invalid or missing member.
    var codingPath: [any CodingKey] {
        var path = context?.codingPath ?? []
        if case .keyNotFound(let key, _) = self { path.append(key) }
        return path
    }

    /// The problem with the member, as one sentence; a long text is cut off.
    var reason: String {
        switch self {
        case .keyNotFound: "It is missing."
        case .valueNotFound: "It is null."
        default:
            context.flatMap { $0.debugDescription.isEmpty ? nil : $0.debugDescription }?
                .prefix(bytes: Self.maximumTextSize) ?? "It cannot be read."
        }
    }

    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}

/// An error that has another text for developers than for users.
protocol DeveloperTextProviding: Error {
    /// The problem in one or two sentences for developers.
    var textForDevelopers: String { get }
}

extension DeveloperTextProviding where Self: CustomDebugStringConvertible {
    var textForDevelopers: String { debugDescription }
}

extension Error {
    /// The problem with a value for developers, or else the text for users.
    var developerText: String {
        (self as? any DeveloperTextProviding)?.textForDevelopers ?? localizedDescription
    }
}

extension Sequence<any CodingKey> {
    /// The path of a member, such as `prices[1].amount`; a long path is cut off.
    var member: String {
        reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                let name = (key as? MemberName)?.name ?? key.stringValue
                text += text.isEmpty ? name : ".\(name)"
            }
        }
        .prefix(bytes: DecodingError.maximumTextSize)
    }
}

extension String {
    /// Returns the first characters whose encoding in UTF-8 has at most a number of bytes.
    func prefix(bytes count: Int) -> String {
        guard utf8.count > count else { return self }
        // The subscript rounds the index down to a Unicode scalar.
        var text = self[..<utf8.index(startIndex, offsetBy: count)]
        if text.endIndex.samePosition(in: self) == nil { text.removeLast() }
        return String(text)
    }
}
