import Foundation

extension URL {
    /// Whether both URLs have the same scheme, host and port (RFC 6454).
    func hasSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased()
            && host?.lowercased() == other.host?.lowercased()
            && effectivePort == other.effectivePort
    }

    /// Whether it is an http or https URL with a host.
    var isHTTP: Bool {
        ["http", "https"].contains(scheme?.lowercased()) && host?.isEmpty == false
    }

    /// Whether requests to the URL are sent unencrypted to another computer.
    var isInsecure: Bool {
        scheme?.lowercased() == "http" && !isLoopback
    }

    /// Whether the host is this computer.
    ///
    /// A name below `.localhost` is not, because not every system resolves it to this computer.
    var isLoopback: Bool {
        let host = host?.lowercased() ?? ""
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy { UInt8($0).map(String.init) == String($0) }
    }

    private var effectivePort: Int? {
        port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""]
    }

    /// The URL without user information and fragment, and with `redacted` for values of query items that may be secrets.
    ///
    /// Of a URL of more than 4 KiB, only the origin is left, and of a URL such as `data:…` only the scheme.
    var withoutSecrets: URL? {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return nil
        }
        components.user = nil
        components.password = nil
        components.fragment = nil
        if absoluteString.utf8.count > NetworkError.maximumTextSize {
            components.path = ""
            components.query = nil
        } else if components.scheme != nil, components.host == nil, !path.hasPrefix("/") {
            components.path = "redacted"
            components.query = nil
        }
        components.percentEncodedQuery = components.percentEncodedQuery?.queryWithoutSecrets
        return components.url.flatMap { url in
            url.absoluteString.utf8.count > NetworkError.maximumTextSize ? nil : url
        }
    }
}

extension String {
    /// The percent-encoded query of a URL with `redacted` for values that may be secrets.
    var queryWithoutSecrets: String {
        split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let end = item.firstIndex(of: "=") else { return String(item) }
            let value = item[item.index(after: end)...]
            let isSecret =
                SecretWords.areInQuery(item[..<end].percentDecoded) || value.containsSecret
            return isSecret ? item[...end] + "redacted" : String(item)
        }
        .joined(separator: "&")
    }

    /// The text with all URLs in it without secrets.
    var redactingURLs: String {
        guard contains("://") else { return self }
        var (text, word) = ("", "")
        for character in self + " " {
            if character.isWhitespace || "\"'<>“”".contains(character) {
                text += word.redactedIfURL
                text.append(character)
                word = ""
            } else {
                word.append(character)
            }
        }
        return String(text.dropLast())
    }

    /// The word with the URL at its end without secrets.
    private var redactedIfURL: String {
        guard let end = firstRange(of: "://")?.lowerBound else { return self }
        let delimiter = self[..<end].lastIndex {
            !$0.isLetter && !$0.isNumber && !"+-.".contains($0)
        }
        let start = delimiter.map(index(after:)) ?? startIndex
        let url = URL(string: String(self[start...]))?.withoutSecrets
        return self[..<start] + (url?.absoluteString ?? "redacted")
    }
}

extension Substring {
    /// Whether a percent-encoded value of a query item contains the name of a secret, a user name, a fragment or JSON.
    ///
    /// JSON may be in Base64, as in a JWT. With semicolons between items, a value contains the following items.
    fileprivate var containsSecret: Bool {
        let text = percentDecoded
        if ["{", "[", "\"{", "eyJ"].contains(where: text.hasPrefix) { return true }
        if text.contains("//"), text.contains("@") || text.contains("#") { return true }
        return text.contains { $0 == "=" || $0 == ":" } && SecretWords.areInQuery(text)
    }

    /// The text without percent-encoding, which a nested URL has twice, and without white space at the start.
    ///
    /// Bytes that are not UTF-8 are replaced, so that the rest is decoded.
    fileprivate var percentDecoded: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            bytes.append(byte)
            while let decoded = bytes.suffix(3).percentDecodedByte {
                bytes.removeLast(3)
                bytes.append(decoded)
            }
        }
        return String(String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace || $0 == "+" })
    }
}

extension ArraySlice<UInt8> {
    /// The byte that `%` and two hexadecimal digits encode; `nil` for other bytes.
    fileprivate var percentDecodedByte: UInt8? {
        guard count == 3, first == UInt8(ascii: "%") else { return nil }
        return UInt8(String(decoding: dropFirst(), as: UTF8.self), radix: 16)
    }
}
