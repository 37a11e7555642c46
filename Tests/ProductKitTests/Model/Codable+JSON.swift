import Foundation

extension Decodable {
    /// What a JSON text says.
    static func reading(_ json: String) throws -> Self {
        try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    }
}

extension Encodable {
    /// This value as a JSON text, its members in the order of the alphabet.
    func written() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
