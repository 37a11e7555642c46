extension DecodingError {
    /// The member that could not be read, such as `prices[1].amount`.
    ///
    /// - Parameter depth: How many of the first steps to leave out.
    /// - Returns: The path, empty for the value itself.
    func member(below depth: Int = 0) -> String {
        path.dropFirst(depth).reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }

    /// The steps to the member that could not be read.
    var path: [any CodingKey] {
        var path = context?.codingPath ?? []
        if case .keyNotFound(let key, _) = self { path.append(key) }
        return path
    }

    /// What was wrong with the member, as one sentence.
    var reason: String {
        switch self {
        case .keyNotFound: "It is missing."
        case .valueNotFound: "It is null."
        default:
            context.flatMap { $0.debugDescription.isEmpty ? nil : $0.debugDescription }
                ?? "It cannot be read."
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
