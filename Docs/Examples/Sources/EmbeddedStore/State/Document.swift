import Foundation

/// A JSON text together with the tag that names it.
///
/// Encoding costs more than anything else the store does, so it happens when something changes
/// and never when it is read.
struct Document: Sendable {
    let json: Data
    let tag: EntityTag

    /// Encodes a value with its members in alphabetical order, so that equal values make equal
    /// documents and therefore equal tags.
    init(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers and flags always encode.
        self.init(json: (try? encoder.encode(value)) ?? Data("null".utf8))
    }

    init(json: Data) {
        self.json = json
        tag = EntityTag(naming: json)
    }

    private init(json: Data, tag: EntityTag) {
        self.json = json
        self.tag = tag
    }

    /// Joins documents into a page without encoding them again.
    ///
    /// Its tag is made from theirs, which name their contents already.
    static func page(of items: [Document], next: String?, total: Int?) -> Document {
        var json = Data(#"{"items":["#.utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(item.json)
        }
        var rest = "]"
        if let next { rest += #","next":"\#(next)""# }
        if let total { rest += #","total":\#(total)"# }
        rest += "}"
        json.append(contentsOf: rest.utf8)
        let tags = items.map(\.tag.text).joined()
        return Document(json: json, tag: EntityTag(naming: (tags + rest).utf8))
    }
}
