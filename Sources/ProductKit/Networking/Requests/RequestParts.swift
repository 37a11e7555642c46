package import Foundation

/// The parts of a typed request that do not depend on its output.
package struct RequestParts: Sendable {
    package var method: String
    /// The segments of the path below the client's base URL, not encoded.
    package var segments: [String]
    var query: [URLQueryItem] = []
    /// The header fields; they take precedence over those that behaviors add.
    package var headers: NetworkHeaders = [:]
    package var body: RequestBody?
    package var policy = FetchPolicy.standard
    /// Whether the request does not belong to the operation whose closure sends it.
    var isIndependent = false
    /// Whether the server has just failed, so that a cache serves what it serves after a failure.
    var isAfterFailure = false
    /// The maximum time of each attempt; `nil` for 60 seconds.
    var timeout: Duration?
    /// The name of a declared read; see ``OutgoingRequest/readName``.
    var readName: String?
    /// What replaces the `Cache-Control` of the response; `nil` for nothing.
    var responseCacheControl: String?
    /// How a response with a status code between 200 and 299 reports a failure; `nil` if none can.
    var failureCheck: FailureCheck?
    /// The codes of the backend for failures that have an output.
    var expectedProblems: [String] = []
    /// The errors to throw in place of those with a code, in the order in which they were added.
    var replacements: [(code: NetworkError.Code, error: any Error)] = []
    /// The path of the output in the response body, for error messages.
    var path: MemberPath = []
    /// The cursor of the page to request; `nil` for the first page, or for one of ``query``.
    var link: PageLink?

    /// The `Accept` of a request without an output: some servers send a failure as a web page otherwise.
    static let acceptOfFailures = "application/json, */*;q=0.1"
    static let mediaTypeOfJSONAPI = "application/vnd.api+json"
    /// The values of `Accept` that the library sets.
    static let defaultAccepts = ["application/json", acceptOfFailures, mediaTypeOfJSONAPI]
}

extension RequestParts {
    /// Creates the request that passes through the behaviors.
    ///
    /// The query items of the base URL come first. Without segments the URL is the base URL itself, also with
    /// `appendsSlash`. A policy other than ``FetchPolicy/standard`` takes the place of that of a safe request.
    package func outgoing(
        relativeTo baseURL: URL,
        appendsSlash: Bool = false,
        policy: FetchPolicy = .standard,
        makeEncoder: (@Sendable () -> JSONEncoder)? = nil
    ) throws -> OutgoingRequest {
        func invalid(_ details: String) -> NetworkError {
            let request = OutgoingRequest(method: method, url: baseURL)
            return NetworkError(.invalidRequest, request: request, details: details)
        }
        guard var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true),
            ["http", "https"].contains(components.scheme?.lowercased()),
            components.encodedHost?.isEmpty == false
        else {
            throw invalid(
                "The address of the server is not valid. Use a base URL with a host that begins "
                    + "with https://."
            )
        }
        var path = components.percentEncodedPath
        if !segments.isEmpty { while path.hasSuffix("/") { path.removeLast() } }
        for segment in segments { path += try "/" + Self.percentEncodedSegment(segment) }
        components.percentEncodedPath = appendsSlash && !segments.isEmpty ? path + "/" : path
        components.fragment = nil
        let query = try link?.query(replacing: query, relativeTo: baseURL) ?? query
        let items = query.map { item in
            [item.name, item.value ?? ""].map(\.percentEncoded).joined(separator: "=")
        }
        if !items.isEmpty {
            components.percentEncodedQuery = ([components.percentEncodedQuery] + items)
                .compactMap { $0?.isEmpty == false ? $0 : nil }
                .joined(separator: "&")
        }
        guard let url = components.url else {
            throw invalid("The address of the request is not valid. Correct the base URL.")
        }
        var request = OutgoingRequest(method: method, url: url, headers: headers)
        guard method.isHTTPToken else {
            throw NetworkError(
                .invalidRequest,
                request: request,
                details: "“\(method)” is not a valid HTTP method. Use a method such as GET or PUT."
            )
        }
        request.body = try body?.data(for: request, makeEncoder)
        try request.checkFields()
        (request.timeout, request.readName) = (timeout, readName)
        request.responseCacheControl = responseCacheControl
        request.policy = policy != .standard && request.isSafe ? policy : self.policy
        return request
    }

    /// Returns a segment for a path; throws if a client would refuse it.
    static func percentEncodedSegment(_ segment: String) throws -> String {
        func invalid(_ problem: String) -> NetworkError {
            NetworkError(
                .invalidRequest,
                details:
                    "“\(segment.prefix(64))” is not a valid identifier: it \(problem). Use the "
                    + "identifier that the server returned."
            )
        }
        switch segment {
        case "": throw invalid("is empty")
        case ".", "..": throw invalid("would lead to another path")
        default: break
        }
        guard segment.utf8.count <= 255 else { throw invalid("is longer than 255 bytes") }
        guard segment.utf8.allSatisfy({ $0 != 0x00 && $0 != 0x0A && $0 != 0x0D }) else {
            throw invalid("contains a line break or NUL")
        }
        return segment.percentEncoded
    }
}

extension String {
    /// The string with all bytes percent-encoded except unreserved characters.
    var percentEncoded: String {
        utf8.reduce(into: "") { encoded, byte in
            guard !byte.isUnreserved else {
                return encoded.unicodeScalars.append(Unicode.Scalar(byte))
            }
            encoded += byte < 0x10 ? "%0" : "%"
            encoded += String(byte, radix: 16, uppercase: true)
        }
    }
}

extension UInt8 {
    /// Whether the byte is an unreserved character: a letter, a digit or one of `-._~` (RFC 3986 §2.3).
    var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
