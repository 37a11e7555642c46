public import Foundation

/// The body of a request.
package enum RequestBody: Sendable, CustomStringConvertible {
    case data(Data)
    /// A value that the encoder of the client encodes when the request is sent.
    case json(any Encodable & Sendable)

    /// The size of the body, if it is known.
    package var description: String {
        switch self {
        case .data(let data): "\(data.count) bytes"
        case .json: "JSON"
        }
    }

    func data(
        for request: OutgoingRequest,
        _ makeEncoder: (@Sendable () -> JSONEncoder)?
    ) throws -> Data {
        switch self {
        case .data(let data): return data
        case .json(let value):
            do {
                let encoder = makeEncoder?() ?? .sorting
                // Each attempt has the same body, and with it the same key.
                encoder.outputFormatting.insert(.sortedKeys)
                return try encoder.encode(value)
            } catch {
                throw NetworkError(encoding: error, of: request)
            }
        }
    }
}

extension JSONEncoder {
    /// The encoder of a client that does not have its own.
    static var sorting: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

extension NetworkRequest {
    /// Returns the same request with a JSON body and its `Content-Type`.
    ///
    /// A `Content-Type` that the request has already stays: some backends require `application/vnd.api+json`.
    ///
    /// The encoder of the client encodes the value when the request is sent. If that fails, nothing is sent, and `send`
    /// throws a ``NetworkError`` with code ``NetworkError/Code-swift.struct/invalidRequest`` and the path of the member.
    public func json(_ value: some Encodable & Sendable) -> NetworkRequest {
        changing { parts in
            parts.body = .json(value)
            parts.headers["Content-Type"] = parts.headers["Content-Type"] ?? "application/json"
        }
    }

    /// Returns the same request with the fields of a form as its body, and its `Content-Type`.
    ///
    /// The body has the format `application/x-www-form-urlencoded` (WHATWG URL §5.2), which most token endpoints require.
    /// Pass the fields as they are, not encoded. They are sent in their order, without those that have no value.
    public func form(_ fields: KeyValuePairs<String, String?>) -> NetworkRequest {
        form(Array(namesAndValues: fields))
    }

    /// Returns the same request with the fields of a form that are built at run time.
    ///
    /// A field without a value is sent with an empty one.
    public func form(_ fields: [URLQueryItem]) -> NetworkRequest {
        let text = fields.map { field in
            [field.name, field.value ?? ""].map(\.formEncoded).joined(separator: "=")
        }
        .joined(separator: "&")
        return changing { parts in
            parts.body = .data(Data(text.utf8))
            parts.headers["Content-Type"] = "application/x-www-form-urlencoded"
        }
    }
}

extension String {
    /// The string in the format `application/x-www-form-urlencoded` (WHATWG URL §5.2).
    fileprivate var formEncoded: String {
        percentEncoded.replacing("%20", with: "+").replacing("%2A", with: "*")
            .replacing("~", with: "%7E")
    }
}

extension [URLQueryItem] {
    /// Creates the items of those pairs that have a value.
    init(namesAndValues pairs: some Sequence<(key: String, value: String?)>) {
        self = pairs.compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
    }
}

extension NetworkError {
    /// Creates the error for a request body that cannot be encoded, with the path of the member.
    fileprivate init(encoding error: any Error, of request: OutgoingRequest) {
        var details = "The body cannot be encoded."
        if case EncodingError.invalidValue(_, let context) = error {
            let member = context.codingPath.member
            if !member.isEmpty { details = "The member “\(member)” of the body cannot be encoded." }
            details += " \(context.debugDescription.prefix(bytes: DecodingError.maximumTextSize))"
        }
        self.init(
            .invalidRequest,
            request: request,
            underlying: error,
            details: details + " Correct the value or its type."
        )
    }
}
