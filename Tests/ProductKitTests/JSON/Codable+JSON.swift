import Foundation

extension Decodable {
    /// Decodes a value from a JSON text.
    static func decoded(from json: String) throws -> Self {
        try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    }
}

extension Encodable {
    /// Encodes this value as a JSON text with sorted member names.
    func encodedJSON() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
