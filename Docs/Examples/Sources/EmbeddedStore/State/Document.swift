import Foundation

/// A JSON text with its entity tag.
///
/// Encoding is the most expensive work of the store. Documents are encoded when their contents
/// change, not when they are requested.
struct Document: Sendable {
    let json: Data
    let tag: EntityTag

    /// Encodes a value with its members in alphabetical order, so that equal values have equal
    /// entity tags.
    init(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail: the values contain only strings, numbers and Booleans.
        self.init(json: (try? encoder.encode(value)) ?? Data("null".utf8))
    }

    init(json: Data) {
        self.json = json
        tag = EntityTag(hashing: json)
    }

    private init(json: Data, tag: EntityTag) {
        self.json = json
        self.tag = tag
    }

    /// Returns a page that contains the documents, without encoding them again.
    ///
    /// The entity tag of the page is computed from the tags of the documents.
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
        return Document(json: json, tag: EntityTag(hashing: (tags + rest).utf8))
    }
}

/// A strong entity tag, equal for equal contents (RFC 9110 §8.8.3).
struct EntityTag: Sendable, Hashable {
    /// The tag as a header field contains it, with its quotes.
    let text: String

    /// Creates the tag from the FNV-1a hash of the contents, which does not change between runs.
    init(hashing contents: some Sequence<UInt8>) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in contents {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        text = "\"\(String(hash, radix: 16))\""
    }
}
