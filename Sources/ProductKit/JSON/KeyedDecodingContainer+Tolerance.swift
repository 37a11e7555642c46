extension KeyedDecodingContainer {
    /// Whether there is a value for the key; absent and `null` mean the same.
    func holds(_ key: Key) -> Bool {
        contains(key) && (try? decodeNil(forKey: key)) == false
    }

    /// Reads an array, empty when there is none, without the detour through `Array`'s own decoding,
    /// which costs as much again.
    func elements<Element>(
        forKey key: Key,
        read: (inout any UnkeyedDecodingContainer) throws -> Element
    ) throws -> [Element] {
        guard holds(key) else { return [] }
        var container = try nestedUnkeyedContainer(forKey: key)
        var elements: [Element] = []
        elements.reserveCapacity(container.count ?? 0)
        while !container.isAtEnd { elements.append(try read(&container)) }
        return elements
    }

    /// Reads an integer, if there is one; `JSONDecoder` does not tell where a number stood that has
    /// a fraction or is too large.
    func integer<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type = Number.self,
        forKey key: Key
    ) throws -> Number? {
        guard holds(key) else { return nil }
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
