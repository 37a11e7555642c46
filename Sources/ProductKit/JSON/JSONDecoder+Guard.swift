import Foundation

extension JSONDecoder {
    /// Reads a whole text, unless it could exhaust the stack of whoever decodes it.
    ///
    /// - Parameters:
    ///   - type: What the text should hold.
    ///   - text: UTF-8, with at most 64 brackets open at once.
    /// - Returns: The value in the text.
    /// - Throws: `DecodingError`, for another encoding too: in UTF-16 other bytes are brackets.
    func decodeGuarded<Value: Decodable>(_ type: Value.Type, from text: Data) throws -> Value {
        try check(text)
        return try decode(type, from: text)
    }

    /// Reads a whole text of which only a part is wanted, with the same limits.
    func decodeGuarded<Value: DecodableWithConfiguration>(
        _ type: Value.Type,
        from text: Data,
        configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try check(text)
        return try decode(type, from: text, configuration: configuration)
    }

    private func check(_ text: Data) throws {
        if text.prefix(4).contains(0) || text.first.map({ $0 >= 0xFE }) ?? false {
            throw refusal("It is not UTF-8, the encoding of JSON (RFC 8259 §8.1).")
        }
        if JSONNesting.isTooDeep(text) {
            throw refusal("It has more than \(JSONNesting.maximumDepth) brackets open at once.")
        }
    }

    private func refusal(_ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
    }
}

extension JSONNesting {
    /// Whether more brackets are open at once than a decoder should see.
    fileprivate static func isTooDeep(_ text: Data) -> Bool {
        var nesting = JSONNesting()
        let bytes = text.bytes
        do {
            _ = try nesting.advance(in: bytes, from: 0, to: bytes.byteCount, floor: -1)
            return false
        } catch {
            // At a wrong bracket the decoder stops by itself.
            return error.reason == .tooDeep
        }
    }
}
