import Foundation

extension Error {
    /// The error as a `URLError`, also if it is an `NSError`, which a cast on Linux does not convert; otherwise `nil`.
    var urlError: URLError? {
        if let error = self as? URLError { return error }
        guard let error = nsError, error.domain == NSURLErrorDomain else { return nil }
        // On Linux the initializer returns an optional, unlike on Apple platforms.
        let code: URLError.Code? = URLError.Code(rawValue: error.code)
        return URLError(code ?? .unknown)
    }

    /// The error without secrets and with bounded texts; `nil` if its type is not known.
    ///
    /// The `userInfo` of a system error may contain the URL with its secrets, a `DecodingError` any
    /// part of the response, and an `EncodingError` the value of the request body.
    var redactedIfKnown: (any Error)? {
        if let error = nsError {
            return NSError(
                domain: error.domain.prefix(bytes: NetworkError.maximumTextSize),
                code: error.code,
                userInfo: error.domain == NSURLErrorDomain ? [:] : error.userInfo.redacted
            )
        }
        switch self {
        case is NetworkError: return self
        case let error as URLError: return URLError(error.code)
        case let error as DecodingError: return error.redacted
        case let error as EncodingError: return error.redacted
        case let error as CocoaError:
            return CocoaError(error.code, userInfo: error.userInfo.redacted)
        default: return nil
        }
    }

    /// The error as an `NSError`; `nil` for an error of a Swift type.
    private var nsError: NSError? { type(of: self) is NSError.Type ? self as NSError : nil }
}

extension [String: Any] {
    /// The first 100 texts, URLs and causes of an error by their keys, without secrets; at most 100 causes for a key.
    fileprivate var redacted: [String: Any] {
        let values: [(String, Any)] = sorted { $0.key < $1.key }.lazy.compactMap { key, value in
            let redacted: Any? =
                switch value {
                case let text as String:
                    text.prefix(bytes: NetworkError.maximumTextSize).redactingURLs
                case let url as URL: url.withoutSecrets
                case let error as any Error: error.redactedIfKnown
                case let errors as [any Error]: errors.prefix(100).compactMap(\.redactedIfKnown)
                default: nil
                }
            return redacted.map { (key.prefix(bytes: NetworkError.maximumTextSize), $0) }
        }
        .prefix(100).map(\.self)
        return Dictionary(values) { first, _ in first }
    }
}

extension DecodingError {
    /// The same error with texts of at most 4 KiB in total for its path, and 1 KiB for its reason.
    fileprivate var redacted: DecodingError {
        var remaining = NetworkError.maximumTextSize
        switch self {
        case .typeMismatch(let type, let context):
            return .typeMismatch(type, context.redacted(remaining: &remaining))
        case .valueNotFound(let type, let context):
            return .valueNotFound(type, context.redacted(remaining: &remaining))
        case .keyNotFound(let key, let context):
            let key = key.bounded(by: &remaining)
            return .keyNotFound(key, context.redacted(remaining: &remaining))
        case .dataCorrupted(let context):
            return .dataCorrupted(context.redacted(remaining: &remaining))
        @unknown default:
            return self
        }
    }
}

extension DecodingError.Context {
    fileprivate func redacted(remaining: inout Int) -> Self {
        Self(
            codingPath: codingPath.map { $0.bounded(by: &remaining) },
            debugDescription: debugDescription.redactedReason,
            underlyingError: underlyingError?.redactedIfKnown
        )
    }
}

extension EncodingError {
    /// The same error with bounded texts, and with the name of its type instead of the value.
    fileprivate var redacted: EncodingError {
        guard case .invalidValue(let value, let context) = self else { return self }
        var remaining = NetworkError.maximumTextSize
        return .invalidValue(
            "\(type(of: value))",
            Context(
                codingPath: context.codingPath.map { $0.bounded(by: &remaining) },
                debugDescription: context.debugDescription.redactedReason,
                underlyingError: context.underlyingError?.redactedIfKnown
            )
        )
    }
}

extension CodingKey {
    /// The key, or a key for its first characters if it is a name that exceeds the remaining bytes.
    fileprivate func bounded(by remaining: inout Int) -> any CodingKey {
        guard intValue == nil else { return self }
        let text = stringValue.taking(from: &remaining)
        return text.utf8.count == stringValue.utf8.count ? self : text.codingKey
    }
}

extension String {
    /// The reason of an error of a decoder or encoder, bounded and without the secrets of URLs.
    fileprivate var redactedReason: String {
        prefix(bytes: DecodingError.maximumTextSize).redactingURLs
    }

    /// Returns the first characters that fit into the remaining bytes, and subtracts their size.
    func taking(from remaining: inout Int) -> String {
        let text = prefix(bytes: remaining)
        remaining -= text.utf8.count
        return text
    }
}

/// A value of which a dump shows only the description, which contains no secrets.
protocol RedactedInDumps: CustomReflectable {}

extension RedactedInDumps {
    /// An empty mirror, so that a dump contains only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
