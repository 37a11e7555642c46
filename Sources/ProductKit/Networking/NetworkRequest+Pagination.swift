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
        let links = LinkField(headers["Link"] ?? "").links
        guard let link = links.first(where: { $0.isNext }),
            let address = URL(string: link.target, relativeTo: url)?.absoluteURL,
            ["http", "https"].contains(address.scheme?.lowercased()),
            address.host?.isEmpty == false
        else { return nil }
        return PageCursor(address.absoluteString)
    }
}

/// A `Link` field, as far as it can be understood.
private struct LinkField {
    struct Link {
        var target: String
        var relation: String?
        /// Whether it leads away from something else than the answer that it came with.
        var isOfAnother = false

        var isNext: Bool {
            let relations = relation?.lowercased().split(separator: " ") ?? []
            return relations.contains("next") && !isOfAnother
        }
    }

    private(set) var links: [Link] = []
    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
        while let link = readLink() { links.append(link) }
    }

    /// Reads `<target>` and its parameters, up to the comma that follows or the end.
    private mutating func readLink() -> Link? {
        skip { $0 == "," || $0.isBlank }
        guard take("<"), let end = rest.firstIndex(of: ">") else { return nil }
        var link = Link(target: rest[..<end].filter { !$0.isBlank })
        rest = rest[end...].dropFirst()
        skip(\.isBlank)
        while take(";") {
            guard let (name, value) = readParameter() else { return nil }
            // The first relation counts, whatever comes later.
            if name == "rel" { link.relation = link.relation ?? value }
            if name == "anchor" { link.isOfAnother = true }
        }
        return rest.isEmpty || rest.first == "," ? link : nil
    }

    private mutating func readParameter() -> (name: String, value: String)? {
        skip(\.isBlank)
        let name = read { $0 != "=" && $0 != ";" && $0 != "," && !$0.isBlank }
        skip(\.isBlank)
        guard take("=") else { return (name.lowercased(), "") }
        skip(\.isBlank)
        guard take("\"") else {
            let value = read { $0 != ";" && $0 != "," && !$0.isBlank }
            skip(\.isBlank)
            return (name.lowercased(), value)
        }
        var value = ""
        while let character = rest.popFirst() {
            if character == "\"" {
                skip(\.isBlank)
                return (name.lowercased(), value)
            }
            value.append(character == "\\" ? rest.popFirst() ?? character : character)
        }
        // A quote that is never closed swallows everything.
        return nil
    }

    private mutating func read(while belongs: (Character) -> Bool) -> String {
        let text = rest.prefix(while: belongs)
        rest = rest[text.endIndex...]
        return String(text)
    }

    private mutating func skip(_ isPassedOver: (Character) -> Bool) {
        rest = rest.drop(while: isPassedOver)
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
