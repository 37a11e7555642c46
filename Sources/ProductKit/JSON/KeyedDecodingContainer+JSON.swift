extension Decoder {
    /// Whether the value is empty in one of the ways in which PHP writes an array or object without
    /// elements, or a missing value: `""`, `[]`, `{}` or `false`.
    var hasEmptyValue: Bool {
        if let text = try? String(from: self) { return text.isEmpty }
        if let flag = try? Bool(from: self) { return !flag }
        if let array = try? unkeyedContainer() { return array.isAtEnd }
        return (try? container(keyedBy: MemberName.self))?.allKeys.isEmpty ?? false
    }
}

extension KeyedDecodingContainer {
    /// Whether a member is present and not `null`.
    func hasValue(forKey key: Key) -> Bool {
        contains(key) && (try? decodeNil(forKey: key)) == false
    }

    /// Whether a member is empty; see `Decoder.hasEmptyValue`.
    func hasEmptyValue(forKey key: Key) -> Bool {
        (try? superDecoder(forKey: key).hasEmptyValue) ?? false
    }

    /// Returns an error about the value of a member.
    func invalidValue(forKey key: Key, _ problem: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: problem)
    }

    /// Decodes an array with a closure, without the elements for which it returns `nil`.
    ///
    /// This takes half the time of `decode([Element].self, forKey:)`. `null` is an empty array; an absent member an error.
    func decodeElements<Element>(
        forKey key: Key,
        _ decodeElement: (inout any UnkeyedDecodingContainer) throws -> Element?
    ) throws -> [Element] {
        guard try !decodeNil(forKey: key) else { return [] }
        var container = try nestedUnkeyedContainer(forKey: key)
        var elements: [Element] = []
        elements.reserveCapacity(container.count ?? 0)
        while !container.isAtEnd {
            if let element = try decodeElement(&container) { elements.append(element) }
        }
        return elements
    }
}
