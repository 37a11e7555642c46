import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Adds fields that the request does not have yet; the ones it has stay.
    ///
    /// - Throws: ``NetworkError`` with code `invalidRequest` for a name or value that may not be
    ///   sent: the system drops such a field silently, or worse, sends it.
    mutating func add(_ headers: NetworkHeaders) throws {
        for (name, value) in headers {
            try checkHeader(name: name, value: value)
            if self.value(forHTTPHeaderField: name) == nil {
                setValue(value, forHTTPHeaderField: name)
            }
        }
    }

    /// Refuses a name or value that may not be sent.
    func checkHeader(name: String, value: String) throws {
        guard name.isHTTPToken else {
            throw NetworkError(
                .invalidRequest,
                request: self,
                reason: "A header is named “\(name.httpTokenPrefix)” and more that may not stand "
                    + "in a name; use letters, digits and hyphens only."
            )
        }
        guard value.unicodeScalars.allSatisfy({ $0 == "\t" || ($0 >= " " && $0 != "\u{7F}") })
        else {
            throw NetworkError(
                .invalidRequest,
                request: self,
                reason: "The value of header “\(name)” holds a line break or control character; "
                    + "remove it."
            )
        }
    }
}

extension String {
    /// A method or field name, RFC 9110 §5.6.2.
    var isHTTPToken: Bool {
        !isEmpty && utf8.allSatisfy(\.isHTTPTokenByte)
    }

    /// What of it may be told when it is no token: what follows may be anything, a secret too.
    var httpTokenPrefix: Substring {
        prefix { $0.utf8.allSatisfy(\.isHTTPTokenByte) }.prefix(64)
    }
}

extension UInt8 {
    fileprivate var isHTTPTokenByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "|"), UInt8(ascii: "~"),
            UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
