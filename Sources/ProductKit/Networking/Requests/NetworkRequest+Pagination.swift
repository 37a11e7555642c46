import Foundation

extension NetworkResponse {
    /// The URL of the next page from the `Link` field (RFC 8288); `nil` if there is none.
    ///
    /// Pass it to ``NetworkRequest/following(_:keepingQuery:)``. A relative URL is resolved against the URL
    /// of the response. A field that is not valid is ignored.
    public var nextPage: PageCursor? {
        guard let link = Link.next(in: headers["Link"] ?? ""),
            let address = URL(string: link.target, relativeTo: url)?.absoluteURL, address.isHTTP
        else { return nil }
        return PageCursor(rawValue: address.absoluteString)
    }
}

extension NetworkRequest {
    /// Returns the request for the next page, if the cursor is the URL of that page.
    ///
    /// Only the query of the URL is used: the request keeps its path and server. A relative URL begins with `?`, or
    /// with `/` and has a query.
    ///
    /// ```swift
    /// let request = NetworkRequest<Page<Product>>.get("goods", query: ["q": "boots"])
    ///     .following(cursor)
    /// ```
    ///
    /// Some servers leave out a part of the query, for example in `?page=2`. So the request keeps its own
    /// query items, except those that the URL has, too. `ids[]` and `ids[0]` count as `ids`, but `page[limit]`
    /// and `page[offset]` are two items. An item of the request whose value is the cursor itself is left out.
    ///
    /// Any other cursor must be the value of a query item of the request, which is then sent unchanged.
    ///
    /// If the URL cannot be followed, sending the request throws a ``NetworkError``, and nothing is sent. The code
    /// is ``NetworkError/Code-swift.struct/redirect`` for a URL with another host than the base URL of the client:
    /// another server must not receive the token of this one. A URL of the same host may have another scheme and
    /// port, because a server behind a proxy may not know those of the proxy; the request has those of the base
    /// URL. The code is ``NetworkError/Code-swift.struct/invalidRequest`` for a URL without a query, with the query
    /// of the request, or with one that is not in UTF-8, and for another cursor that the request does not contain.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the page; `nil` for the first page. Then the request is not changed.
    ///   - keepingQuery: Whether the request keeps the query items that the URL does not have. Pass `false` for a
    ///     server that rejects them: its URLs must contain the complete query.
    /// - Returns: The request for the page.
    public func following(_ cursor: PageCursor?, keepingQuery: Bool = true) -> NetworkRequest {
        changing { parts in
            parts.link = cursor.map { PageLink(cursor: $0, keepsQuery: keepingQuery) }
        }
    }

    /// Returns a request that decodes a page in a backend's own format, and requests the page of a cursor.
    ///
    /// ```swift
    /// let page = NetworkRequest<Page<Product>>.get("goods", query: ["q": "boots"])
    ///     .page(.linked, following: cursor)
    /// ```
    ///
    /// If the format has a query item for the cursor, the number or the offset of a page, its value is replaced,
    /// except for the first page. Other formats work like ``following(_:keepingQuery:)``.
    ///
    /// The cursor is the ``Page/next`` of the previous page, or `nil` for the first page. If it is not a cursor of
    /// the format, `send` throws a ``NetworkError`` with code ``NetworkError/Code-swift.struct/invalidRequest``,
    /// and nothing is sent. Call this method before ``map(_:)``: it replaces the decoding.
    public func page<Element: Decodable>(
        _ format: PageFormat,
        following cursor: PageCursor? = nil
    ) -> NetworkRequest where Output == Page<Element> {
        var request = cursor == nil ? self : following(cursor)
        request.parts.link?.format = format
        let position = format.numbering?.position(of: request.parts.link?.cursor, in: query)
        return request.decodingPage(format, at: position)
    }

    /// Returns a request that decodes a page, and that has the number of the page in its JSON body.
    ///
    /// ```swift
    /// let search = NetworkRequest<Page<Product>>.post("search")
    ///     .page(.numbered, following: cursor) { number in ["page": number] }
    ///     .reading()
    /// ```
    ///
    /// The closure returns the body for the page number or the offset. The name of the query item in the format is
    /// not used.
    ///
    /// The cursor is that of ``page(_:following:)``. `send` throws the same error for a format without numbers.
    public func page<Element: Decodable>(
        _ format: PageFormat,
        following cursor: PageCursor?,
        body: (_ number: Int) throws -> some Encodable & Sendable
    ) rethrows -> NetworkRequest where Output == Page<Element> {
        let cursor = cursor ?? parts.link?.cursor
        guard let position = format.numbering?.position(of: cursor, in: []) else {
            // Sending the request throws the error for a cursor that is not a number.
            return page(PageFormat(offset: ""), following: "")
        }
        return try changing { $0.link = nil }.json(body(position.number))
            .decodingPage(format, at: position)
    }

    private func decodingPage<Element: Decodable>(
        _ format: PageFormat,
        at position: PageNumbering.Position?
    ) -> NetworkRequest where Output == Page<Element> {
        decoding(at: []) { response in
            let envelope = try response.decodeJSON { text, decoder in
                try decoder.decode(PageEnvelope<Element>.self, from: text, configuration: format)
            }
            var page = envelope.page
            page.total = format.total?.number(in: response.headers) ?? page.total
            if let numbering = format.numbering, let position {
                page.next = numbering.next(
                    after: position,
                    count: page.items.count + page.rejectedCount,
                    pageCount: format.pageCount?.number(in: response.headers) ?? envelope.pageCount,
                    total: page.total,
                    hasNext: envelope.hasNext
                )
            }
            return page
        }
    }
}

/// A cursor that a request follows.
struct PageLink: Sendable {
    let cursor: PageCursor
    /// Whether the request keeps the query items that the link does not have.
    let keepsQuery: Bool
    /// The format of the page; `nil` if the cursor is a URL, as it also is without a query item or numbers.
    var format: PageFormat?

    /// Returns the query of the page, without the items of the base URL.
    func query(
        replacing query: [URLQueryItem],
        relativeTo baseURL: URL
    ) throws -> [URLQueryItem] {
        if let numbering = format?.numbering {
            return try numbering.query(at: cursor, replacing: query)
        }
        if let item = format?.cursorItem {
            return query.filter { $0.name != item }
                + [URLQueryItem(name: item, value: cursor.rawValue)]
        }
        guard var address = cursor.urlComponents(relativeTo: baseURL), let url = address.url,
            url.isHTTP
        else {
            guard query.contains(where: { $0.value == cursor.rawValue }) else {
                throw NetworkError(
                    .invalidRequest,
                    details: "The next page cannot be loaded: its cursor is not a link. Add the "
                        + "cursor to the query of the request, or set “cursor” of the page format."
                )
            }
            return query
        }
        // Behind a proxy that ends TLS, a server may write `http` and its inner port.
        guard url.host?.lowercased() == baseURL.host?.lowercased() else {
            throw NetworkError(
                .redirect,
                request: OutgoingRequest(url: url),
                details: "The next page is on another server, so it was not loaded. Correct the "
                    + "next page that the server returns."
            )
        }
        // In a query written by a server, a plus is a space. A real plus is percent-encoded.
        address.percentEncodedQuery = address.percentEncodedQuery?.replacing("+", with: "%20")
        let linked = address.queryItems ?? []
        // The client adds the query items of the base URL again.
        let base = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let names = Set(linked.map(\.nameWithoutIndex))
        let kept = query.filter { item in
            keepsQuery && item.value != cursor.rawValue && !names.contains(item.nameWithoutIndex)
        }
        let items = kept + linked.filter { !base.contains($0) }
        // Bytes that are not UTF-8 have no value, and a page number in the path changes no item.
        let isComplete =
            linked.count { $0.value != nil }
            == address.percentEncodedQueryItems?.count { $0.value != nil }
        guard !linked.isEmpty, isComplete,
            Set(items) != Set(query.filter { $0.value != cursor.rawValue })
        else {
            throw NetworkError(
                .invalidRequest,
                request: OutgoingRequest(url: url),
                details:
                    "The next page cannot be loaded: its link has no query in UTF-8 that differs "
                    + "from that of the request. Create the request from the link, without following it."
            )
        }
        return items
    }
}

extension URLQueryItem {
    /// The name without the brackets of an array element, such as `ids` of `ids[]` and `ids[0]`.
    fileprivate var nameWithoutIndex: Substring {
        guard name.hasSuffix("]"), let bracket = name.lastIndex(of: "["),
            name[bracket...].dropFirst().dropLast().allSatisfy(\.isNumber)
        else { return name[...] }
        return name[..<bracket]
    }
}

extension PageCursor {
    /// The cursor as a URL, which begins with `/` or `?` and has a query if it is relative; `nil` if it is not one.
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
    private let isNext: Bool

    /// Returns the first link to the next page, unless one before it is not valid.
    static func next(in field: String) -> Link? {
        var text = field[...]
        while let link = Link(readFrom: &text) {
            if link.isNext { return link }
        }
        return nil
    }

    /// Reads `<target>` and its parameters, up to the comma that follows or the end of the text.
    private init?(readFrom text: inout Substring) {
        repeat { text.skipOWS() } while text.readDelimiter(",")
        guard text.readDelimiter("<") else { return nil }
        target = text.readText(upTo: [">"]).filter { $0 != " " && $0 != "\t" }
        guard text.readDelimiter(">") else { return nil }
        text.skipOWS()
        var relation: String?
        // A link with an anchor is about another resource than the response (RFC 8288 §3.2).
        var hasAnchor = false
        while text.readDelimiter(";") {
            guard let (name, value) = Self.readParameter(from: &text) else { return nil }
            // The first relation counts (RFC 8288 §3.3).
            if name == "rel" { relation = relation ?? value }
            if name == "anchor" { hasAnchor = true }
        }
        guard text.isEmpty || text.hasPrefix(",") else { return nil }
        let relations = relation?.lowercased().split(separator: " ") ?? []
        isNext = relations.contains("next") && !hasAnchor
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
