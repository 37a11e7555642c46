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
