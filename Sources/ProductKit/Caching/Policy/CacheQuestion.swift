import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `GET` as a cache sees it.
final class CacheQuestion: Sendable {
    /// What its answers are found by.
    let key: CacheKey
    /// The address.
    let url: URL
    /// Who may answer.
    let policy: FetchPolicy
    /// The directives of the request.
    let control: CacheControl
    /// The piece of the answer that is wanted.
    let range: String?
    /// Whether the caller asks with conditions of its own (RFC 9110 §13.1).
    let hasOwnConditions: Bool
    private let fields: [String: String]

    /// Reads a request; `nil` when it has no address.
    init?(_ request: URLRequest, partition: String) {
        guard let url = request.url else { return nil }
        self.url = url
        policy = FetchPolicy(request)
        fields = request.allHTTPHeaderFields ?? [:]
        var authorization: String?
        var control: String?
        var range: String?
        var hasOwnConditions = false
        for (name, value) in fields {
            // Few names are worth a look, and the length tells most of them apart.
            switch name.utf8.count {
            case 13 where name.isEqualIgnoringASCIICase(to: "Authorization"): authorization = value
            case 13 where name.isEqualIgnoringASCIICase(to: "Cache-Control"): control = value
            case 5 where name.isEqualIgnoringASCIICase(to: "Range"): range = value
            case 4... where name.prefix(3).isEqualIgnoringASCIICase(to: "If-"):
                hasOwnConditions = true
            default: break
            }
        }
        self.range = range
        self.hasOwnConditions = hasOwnConditions
        self.control = CacheControl(control)
        key = CacheKey(partition: partition, url: url.withoutFragment, authorization: authorization)
    }

    /// The value of a field, made comparable (RFC 9111 §4.1); empty when there is none.
    ///
    /// It has no blanks around commas, and where the case means nothing, it is in lower case.
    func selectingValue(_ name: String) -> String {
        guard let value = value(name) else { return "" }
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        let text = parts.map(\.trimmed).joined(separator: ",")
        return name.hasPrefix("accept") ? text.lowercased() : text
    }

    /// The value of a field as it is.
    func value(_ name: String) -> String? {
        fields.first { $0.key.isEqualIgnoringASCIICase(to: name) }?.value
    }
}

extension Substring {
    fileprivate func isEqualIgnoringASCIICase(to other: String) -> Bool {
        String(self).isEqualIgnoringASCIICase(to: other)
    }
}

extension URL {
    /// The address as text, without its fragment.
    var withoutFragment: String {
        let text = absoluteString
        let mark = UInt8(ascii: "#")
        guard text.utf8.withContiguousStorageIfAvailable({ $0.contains(mark) }) ?? true,
            let hash = text.utf8.firstIndex(of: mark)
        else { return text }
        return String(text[..<hash])
    }
}
