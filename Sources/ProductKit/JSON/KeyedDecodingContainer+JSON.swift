extension KeyedDecodingContainer {
    /// Whether a member is present and not `null`.
    func hasValue(forKey key: Key) -> Bool {
        contains(key) && (try? decodeNil(forKey: key)) == false
    }

    /// Decodes an array with a closure; an absent or `null` member is an empty array.
    ///
    /// This takes half the time of `decode([Element].self, forKey:)`.
    func decodeElements<Element>(
        forKey key: Key,
        _ decodeElement: (inout any UnkeyedDecodingContainer) throws -> Element
    ) throws -> [Element] {
        guard hasValue(forKey: key) else { return [] }
        var container = try nestedUnkeyedContainer(forKey: key)
        var elements: [Element] = []
        elements.reserveCapacity(container.count ?? 0)
        while !container.isAtEnd { elements.append(try decodeElement(&container)) }
        return elements
    }

    /// Decodes an integer, or returns `nil` if the member is absent or `null`.
    ///
    /// For a number with a fraction, or one that is too large, the error of `JSONDecoder` does not
    /// contain the coding path; this one does.
    func decodeInteger<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type = Number.self,
        forKey key: Key
    ) throws -> Number? {
        guard hasValue(forKey: key) else { return nil }
        guard let number = try? decode(type, forKey: key) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "Expected an integer of at most \(type.bitWidth) bits."
            )
        }
        return number
    }
}

extension DecodingError {
    /// Returns the path of the invalid member, such as `prices[1].amount`.
    ///
    /// - Parameter depth: The number of leading coding keys to leave out.
    /// - Returns: The path; empty for the decoded value itself.
    func member(droppingFirst depth: Int = 0) -> String {
        codingPath.dropFirst(depth).reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }

    /// The coding keys that lead to the invalid or missing member.
    var codingPath: [any CodingKey] {
        var path = context?.codingPath ?? []
        if case .keyNotFound(let key, _) = self { path.append(key) }
        return path
    }

    /// The problem with the member, as one sentence.
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
