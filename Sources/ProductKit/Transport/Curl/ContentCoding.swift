/// The content coding of a response, by its header field `Content-Encoding` (RFC 9110 §8.4).
package enum ContentCoding: Equatable, Sendable {
    /// The body is as it was sent.
    case identity
    /// The body is compressed with gzip, the only coding that requests accept.
    case gzip
    /// The body cannot be decoded.
    case unsupported

    /// The registered names, in lower case, from the HTTP Content Coding Registry of IANA.
    private static let registered: Set = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip",
        "x-compress", "x-gzip", "zstd",
    ]

    /// Creates a coding from the value of the field.
    ///
    /// A name that is not registered is ignored. Many servers send `UTF-8`, which is not a coding.
    ///
    /// - Parameter field: The value; `nil` if the response has no such field.
    package init(_ field: String?) {
        let names = (field ?? "").split(separator: ",")
            .map { $0.trimmingOWS.lowercased() }
            .filter(Self.registered.contains)
        switch names {
        case []: self = .identity
        case ["gzip"], ["x-gzip"]: self = .gzip
        default: self = .unsupported
        }
    }
}
