import Foundation

/// The members of a JSON object, each as the text that it has in the object.
///
/// A value that is passed on as text stays exact: numbers are neither rounded nor written
/// differently.
struct JSONMembers {
    private var texts: [String: Data] = [:]

    /// Finds the members of an object; `nil` if the text is not one.
    ///
    /// Values are not checked. If a name occurs twice, its last value is used.
    ///
    /// - Parameter text: A JSON text in UTF-8 with at most 64 nested arrays and objects.
    init?(_ text: Data) {
        let text = Data(text)
        guard let start = text.firstIndex(where: { !$0.isJSONWhitespace }),
            text[start] == .openBrace,
            (try? findMembers(in: text, from: start)) == true
        else { return nil }
    }

    /// Returns the text of a value; `nil` if there is none.
    subscript(name: String) -> Data? { texts[name] }

    /// Returns whether the object is complete.
    private mutating func findMembers(in text: Data, from start: Int) throws -> Bool {
        let bytes = text.bytes
        var nesting = JSONNesting()
        try nesting.open(.openBrace, at: start)
        var end = start
        repeat {
            let memberStart = end + 1
            end = try nesting.advance(
                in: bytes,
                from: memberStart,
                to: bytes.byteCount,
                floor: 1
            )
            guard end < bytes.byteCount else { return false }
            try addMember(text[memberStart..<end].drop(while: \.isJSONWhitespace))
        } while text[end] == .comma
        return true
    }

    /// Adds a member such as `"first": 20`.
    private mutating func addMember(_ member: Data) throws {
        let member = Data(member)
        guard member.first == .quote else { return }
        var nesting = JSONNesting()
        nesting.beginString()
        let bytes = member.bytes
        let nameEnd = nesting.advanceInString(in: bytes, from: 1, to: bytes.byteCount)
        let name = try JSONDecoder().decode(String.self, from: member[..<nameEnd])
        let rest = member[nameEnd...].drop(while: \.isJSONWhitespace)
        guard rest.first == .colon else { return }
        texts[name] = Data(rest.dropFirst().drop(while: \.isJSONWhitespace))
    }
}
