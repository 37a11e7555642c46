package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

extension NetworkRequest {
    /// Builds the request that goes over the wire.
    ///
    /// Every segment becomes exactly one segment of the path, whatever it holds, and every value of
    /// the query arrives as it is. A query of the base URL is kept in front. Without segments the
    /// address is the base URL itself.
    ///
    /// - Parameter baseURL: Where the API lives, such as `https://api.example.com/v1`.
    /// - Returns: The request, ready to send.
    /// - Throws: ``NetworkError`` with code `invalidRequest` when the base URL is no http address, a
    ///   segment is empty, `.`, `..`, longer than 255 bytes or holds NUL, CR or LF, or when a
    ///   header or the method may not be sent.
    package func urlRequest(relativeTo baseURL: URL) throws -> URLRequest {
        guard var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true),
            ["http", "https"].contains(components.scheme?.lowercased()),
            components.encodedHost?.isEmpty == false
        else {
            throw NetworkError(
                .invalidRequest,
                reason: "“\(baseURL.withoutSecrets?.absoluteString ?? "")” is no http address; "
                    + "use one like “https://api.example.com/v1”."
            )
        }
        var path = components.percentEncodedPath
        if !segments.isEmpty { while path.hasSuffix("/") { path.removeLast() } }
        for segment in segments { path += try "/" + escapedSegment(segment) }
        components.percentEncodedPath = path
        components.fragment = nil
        let items = query.map { item in
            [item.name, item.value ?? ""].map(\.escaped).joined(separator: "=")
        }
        if !items.isEmpty {
            components.percentEncodedQuery = ([components.percentEncodedQuery] + items)
                .compactMap { $0?.isEmpty == false ? $0 : nil }
                .joined(separator: "&")
        }
        guard let url = components.url else {
            throw NetworkError(
                .invalidRequest,
                reason: "The path “\(path)” makes no address; correct the base URL."
            )
        }
        var request = URLRequest(url: url)
        guard method.isHTTPToken else {
            throw NetworkError(
                .invalidRequest,
                request: request,
                reason: "The method “\(method)” is no token; use one like GET or PUT."
            )
        }
        // What is so already is left alone: on Linux each of these costs as much as a header.
        if method != "GET" { request.httpMethod = method }
        if let body { request.httpBody = body }
        try request.add(headers)
        fetchPolicy.apply(to: &request)
        return request
    }

    private func escapedSegment(_ segment: String) throws -> String {
        func refuse(_ problem: String) -> NetworkError {
            NetworkError(
                .invalidRequest,
                reason: "“\(segment.prefix(64))” cannot be part of a path: it \(problem). "
                    + "Use the identifier that the server gave."
            )
        }
        switch segment {
        case "": throw refuse("is empty")
        case ".", "..": throw refuse("would lead to another path")
        default: break
        }
        guard segment.utf8.count <= 255 else { throw refuse("is longer than 255 bytes") }
        guard segment.utf8.allSatisfy({ $0 != 0x00 && $0 != 0x0A && $0 != 0x0D }) else {
            throw refuse("holds a line break or NUL")
        }
        return segment.escaped
    }
}

extension String {
    /// The text with everything escaped but letters, digits and `-._~` (RFC 3986 §2.3).
    fileprivate var escaped: String {
        var escaped = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                escaped += byte < 0x10 ? "%0" : "%"
                escaped += String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }
}
