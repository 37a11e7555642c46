public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// A cursor may be a URL: that of the next page, from the response body or from a `Link` field.
// `nextPage` reads the field, and `following(_:from:)` makes the request for the URL.

extension NetworkResponse {
    /// The URL of the next page from the `Link` field (RFC 8288); `nil` if there is none.
    ///
    /// Pass it to ``NetworkRequest/following(_:from:)``. A relative URL is resolved against the URL
    /// of the response. A field that is not valid is ignored.
    public var nextPage: PageCursor? {
        let links = Link.links(in: headers["Link"] ?? "")
        guard let link = links.first(where: \.isNext),
            let address = URL(string: link.target, relativeTo: url)?.absoluteURL,
            ["http", "https"].contains(address.scheme?.lowercased()),
            address.host?.isEmpty == false
        else { return nil }
        return PageCursor(rawValue: address.absoluteString)
    }
}

extension NetworkRequest {
    /// Returns the request for the next page, if the cursor is the URL of that page.
    ///
    /// Only the query of the URL is used: the request keeps its own path, and is sent to the same
    /// server. If the cursor is not an http or https URL, the request is returned unchanged; add
    /// the cursor to it as the backend requires.
    ///
    /// ```swift
    /// let request = try NetworkRequest<Page<Product>>.get("goods", query: ["q": "boots"])
    ///     .following(cursor, from: client.baseURL)
    /// ```
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the page; `nil` for the first page.
    ///   - baseURL: The base URL of the client that will send the request.
    /// - Returns: The request for the page.
    /// - Throws: ``NetworkError`` with code `redirect` for a URL with another origin: another
    ///   server must not receive the token of this one.
    public func following(_ cursor: PageCursor?, from baseURL: URL) throws -> NetworkRequest {
        guard let cursor, var address = cursor.urlComponents(relativeTo: baseURL),
            ["http", "https"].contains(address.scheme?.lowercased()),
            address.host?.isEmpty == false, let url = address.url
        else { return self }
        guard url.hasSameOrigin(as: baseURL) else {
            throw NetworkError(
                .redirect,
                request: URLRequest(url: url),
                reason: "The next page is on another server, so it was not loaded. Correct the "
                    + "next page that the server returns."
            )
        }
        // The client adds the query items of the base URL again.
        let base = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)?.queryItems ?? []
        // In a query written by a server, a plus is a space. A real plus is percent-encoded.
        address.percentEncodedQuery = address.percentEncodedQuery?.replacing("+", with: "%20")
        var request = self
        request.query = (address.queryItems ?? []).filter { !base.contains($0) }
        return request
    }
}

extension PageCursor {
    /// The cursor as a URL; `nil` if it is not one.
    ///
    /// A relative URL must begin with `/` or `?` and have a query. Otherwise the cursor may be any
    /// string.
    fileprivate func urlComponents(relativeTo baseURL: URL) -> URLComponents? {
        guard ["/", "?"].contains(rawValue.first), rawValue.contains("?") else {
            return URLComponents(string: rawValue)
        }
        return URL(string: rawValue, relativeTo: baseURL).flatMap { url in
            URLComponents(url: url, resolvingAgainstBaseURL: true)
        }
    }
}

/// One link of a `Link` field (RFC 8288 §3).
private struct Link {
    let target: String
    private var relations: [Substring] = []
    /// Whether the link is about another resource than the response (RFC 8288 §3.2).
    private var hasAnchor = false

    /// Whether the link leads to the next page of the response.
    var isNext: Bool { relations.contains("next") && !hasAnchor }

    /// Parses a field value up to the first link that is not valid.
    static func links(in field: String) -> [Link] {
        var links: [Link] = []
        var text = field[...]
        while let link = Link(readFrom: &text) { links.append(link) }
        return links
    }

    /// Reads `<target>` and its parameters, up to the comma that follows or the end of the text.
    private init?(readFrom text: inout Substring) {
        repeat { text.skipOWS() } while text.readDelimiter(",")
        guard text.readDelimiter("<") else { return nil }
        target = text.readText(upTo: [">"]).filter { $0 != " " && $0 != "\t" }
        guard text.readDelimiter(">") else { return nil }
        text.skipOWS()
        var relation: String?
        while text.readDelimiter(";") {
            guard let (name, value) = Self.readParameter(from: &text) else { return nil }
            // The first relation counts (RFC 8288 §3.3).
            if name == "rel" { relation = relation ?? value }
            if name == "anchor" { hasAnchor = true }
        }
        guard text.isEmpty || text.hasPrefix(",") else { return nil }
        relations = relation?.lowercased().split(separator: " ") ?? []
    }

    private static func readParameter(
        from text: inout Substring
    ) -> (name: String, value: String)? {
        text.skipOWS()
        let name = text.readText(upTo: ["=", ";", ",", " ", "\t"]).lowercased()
        text.skipOWS()
        guard text.readDelimiter("=") else { return (name, "") }
        text.skipOWS()
        let value =
            text.hasPrefix("\"")
            ? text.readQuotedString() : String(text.readText(upTo: [";", ",", " ", "\t"]))
        text.skipOWS()
        return value.map { (name, $0) }
    }
}
