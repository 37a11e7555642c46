import Foundation

/// The header fields of a request or response, with case-insensitive names.
///
/// Each name has one value. Several fields of a response with the same name become one value, separated by commas (RFC 9110
/// §5.3). Headers are equal if they have the same names and values; neither the order nor the case of the names matters.
///
/// ```swift
/// let headers: NetworkHeaders = ["ETag": "\"7\""]
/// ```
public struct NetworkHeaders: Sendable {
    private var fields: [(name: String, value: String)]

    /// Creates headers from names and values; for equal names the last value is used.
    package init(_ fields: some Sequence<(name: String, value: String)> = []) {
        self.fields = []
        for field in fields { self[field.name] = field.value }
    }

    /// The value of the field with a name; `nil` if there is none.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.isEqualIgnoringASCIICase(to: name) }?.value }
        set {
            let index = fields.firstIndex { $0.name.isEqualIgnoringASCIICase(to: name) }
            switch (index, newValue) {
            case (let index?, let value?): fields[index].value = value
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append((name, value))
            case (nil, nil): break
            }
        }
    }
}

extension NetworkHeaders: Sequence {
    /// Returns an iterator over the fields, in the order in which they were added.
    public func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
        fields.makeIterator()
    }
}

extension NetworkHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from a literal; for equal names the last value is used.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.lazy.map { (name: $0, value: $1) })
    }
}

extension NetworkHeaders: Hashable {
    /// Returns whether both have the same fields.
    public static func == (one: NetworkHeaders, other: NetworkHeaders) -> Bool {
        one.fields.count == other.fields.count
            && one.fields.allSatisfy { other[$0.name] == $0.value }
    }

    /// Hashes the fields independently of their order and of the case of their names.
    public func hash(into hasher: inout Hasher) {
        let fields = fields.map { ($0.name.utf8.map(\.lowercasedASCII), $0.value) }
        hasher.combine(Dictionary(uniqueKeysWithValues: fields))
    }
}

extension NetworkHeaders: CustomStringConvertible, RedactedInDumps {
    /// The names of the fields, and the values of those that contain no secrets.
    ///
    /// These are `Accept`, `Accept-Language`, `Age`, `Allow`, `Cache-Control`, `Content-Encoding`,
    /// `Content-Language`, `Content-Length`, `Content-Range`, `Content-Type`, `Date`, `Expires`,
    /// `Last-Modified`, `Retry-After` and `Vary`. The value of any other field is `redacted`.
    public var description: String {
        let texts = fields.map { name, value in
            let isShown = Self.shownNames.contains(name.lowercased()) && value.isFieldValue
            return "\(name.httpTokenPrefix): \(isShown ? value : "redacted")"
        }
        return "[\(texts.joined(separator: ", "))]"
    }

    private static let shownNames: Set = [
        "accept", "accept-language", "age", "allow", "cache-control", "content-encoding",
        "content-language", "content-length", "content-range", "content-type", "date", "expires",
        "last-modified", "retry-after", "vary",
    ]
}

extension NetworkHeaders {
    /// Creates headers from received fields, and joins the values of fields with the same name with commas.
    ///
    /// The time is proportional to the number of fields: there may be thousands.
    init(combining received: some Collection<(name: String, value: String)>) {
        fields = []
        fields.reserveCapacity(received.count)
        var indices: [String: Int] = [:]
        for field in received {
            let key = field.name.lowercased()
            if let index = indices[key] {
                fields[index].value += ", \(field.value)"
            } else {
                indices[key] = fields.count
                fields.append(field)
            }
        }
    }

    /// Creates headers from a response of `URLSession`.
    init(_ response: HTTPURLResponse) {
        let received = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { (name: $0, value: value as? String ?? "\(value)") }
        }
        // On Linux, fields whose names differ in case are separate and have no defined order.
        self.init(combining: received.sorted { $0.name < $1.name })
        #if !canImport(FoundationNetworking)
        // Apple's session makes a character of each byte. Servers write addresses in UTF-8.
        for name in ["Link", "Location"] { self[name] = self[name]?.decodedFromLatin1 }
        #endif
    }

    /// The maximum number of header fields of a response.
    package static let maximumCount = 1_000
    /// The maximum size of the header fields of a response in bytes, names and values together.
    package static let maximumSize = 256 << 10

    package var exceedsLimits: Bool {
        fields.count > Self.maximumCount
            || fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
                > Self.maximumSize
    }

    /// The header fields whose names suggest no secret, up to the size of a text of an error.
    ///
    /// `Retry-After` and `Date` come first, because decisions depend on them.
    var withoutSecrets: NetworkHeaders {
        let firstNames = ["Retry-After", "Date"]
        // Only short values can be valid.
        let isFirst = { (name: String, value: String) in
            value.utf8.count < 128 && firstNames.contains(where: name.isEqualIgnoringASCIICase)
        }
        var headers: NetworkHeaders = [:]
        var remaining = NetworkError.maximumTextSize
        for (name, value) in fields.filter(isFirst) + fields.filter({ !isFirst($0, $1) }) {
            let size = name.utf8.count + value.utf8.count
            guard size <= remaining, !SecretWords.areInFieldName(name) else { continue }
            headers.fields.append((name, value))
            remaining -= size
        }
        return headers
    }

    func filter(_ isIncluded: (_ name: String) -> Bool) -> NetworkHeaders {
        var headers = self
        headers.fields.removeAll { !isIncluded($0.name) }
        return headers
    }
}

extension String {
    /// The text in UTF-8 whose bytes were taken for the characters of ISO 8859-1; the text itself if it is another one.
    package var decodedFromLatin1: String {
        guard unicodeScalars.contains(where: { $0.value > 0x7F }) else { return self }
        let bytes = unicodeScalars.map { UInt8(exactly: $0.value) }
        guard !bytes.contains(nil) else { return self }
        return String(validating: bytes.compactMap(\.self), as: UTF8.self) ?? self
    }

    /// Whether both strings are equal except for the case of ASCII letters.
    func isEqualIgnoringASCIICase(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Most strings are contiguous, which makes the comparison five times faster.
        let isEqual = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                bytes.indices.allSatisfy { bytes[$0].lowercasedASCII == others[$0].lowercasedASCII }
            }
        }
        return (isEqual ?? nil)
            ?? zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
