public import Foundation

extension NetworkRequest {
    /// The same request, or the one for the page at the address that a cursor holds.
    ///
    /// Of an address only the query is followed; the path stays the request's own, and so does the
    /// machine. A cursor that is no http address changes nothing: put it where the backend wants it.
    ///
    /// ```swift
    /// let request = try NetworkRequest<Page<Product>>.get("goods", query: ["q": "boots"])
    ///     .following(cursor, from: client.baseURL)
    /// ```
    ///
    /// - Parameters:
    ///   - cursor: Where the page begins; `nil` for the first one.
    ///   - baseURL: The address of the client that will send the request.
    /// - Returns: The request for that page.
    /// - Throws: ``NetworkError`` with code `redirect` for an address of another origin: nobody else
    ///   gets what is sent to this one.
    public func following(_ cursor: PageCursor?, from baseURL: URL) throws -> NetworkRequest {
        guard let cursor, var address = cursor.address(relativeTo: baseURL),
            ["http", "https"].contains(address.scheme?.lowercased()),
            address.host?.isEmpty == false, let url = address.url
        else { return self }
        guard url.hasSameOrigin(as: baseURL) else {
            throw NetworkError(
                .redirect,
                reason: "The next page is said to be on another server, at "
                    + "“\(url.withoutSecrets?.absoluteString ?? "")”. It was not asked for; "
                    + "correct what the server gives as next page."
            )
        }
        // The base URL's own query goes along anyway.
        let base = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)?.queryItems ?? []
        // Servers that write a plus mean a blank; a true plus is escaped.
        address.percentEncodedQuery = address.percentEncodedQuery?.replacing("+", with: "%20")
        var request = self
        request.query = (address.queryItems ?? []).filter { !base.contains($0) }
        return request
    }
}

extension PageCursor {
    /// The address that it is, if it is one; a relative one shows itself by its query.
    fileprivate func address(relativeTo baseURL: URL) -> URLComponents? {
        guard ["/", "?"].contains(rawValue.first), rawValue.contains("?") else {
            return URLComponents(string: rawValue)
        }
        return URL(string: rawValue, relativeTo: baseURL).flatMap { url in
            URLComponents(url: url, resolvingAgainstBaseURL: true)
        }
    }
}

extension NetworkResponse {
    /// The next page, when a `Link` field names one (RFC 8288); `nil` when none does.
    ///
    /// Give it to ``NetworkRequest/following(_:from:)``, which follows it on the same origin only.
    /// A reference is relative to where the answer came from. Fields that cannot be understood name
    /// nothing.
    public var nextPage: PageCursor? {
        let links = Link.links(in: headers["Link"] ?? "")
        guard let link = links.first(where: { $0.isNext }),
            let address = URL(string: link.target, relativeTo: url)?.absoluteURL,
            ["http", "https"].contains(address.scheme?.lowercased()),
            address.host?.isEmpty == false
        else { return nil }
        return PageCursor(rawValue: address.absoluteString)
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
