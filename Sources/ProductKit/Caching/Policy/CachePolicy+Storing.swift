import Foundation

/// Why a response is not stored; ``secret`` is why it is stored only in memory.
enum StoringObstacle: String, Error {
    case noStore = "Cache-Control: no-store"
    case vary = "Vary"
    case redirect = "a redirect"
    case detour = "a redirect over another origin and back"
    case status = "the status code"
    case failure = "a success that reports a failure"
    case content = "incomplete, or another media type than the request accepts"
    case freshness = "neither fresh nor with a validator"
    case secret = "Authorization, or a secret that Vary names"

    /// Whether a response with this obstacle does not even remove the stored one.
    ///
    /// It is a part, may have been cut off, reports a failure, is the web page of a proxy in place of JSON, or was
    /// reached without the token of the user.
    var keepsStoredResponse: Bool { [.detour, .failure, .content].contains(self) }
}

/// Storing Responses in Caches (RFC 9111 §3, §3.1).
extension CachePolicy {
    /// The heuristically cacheable status codes (RFC 9110 §15.1), without 206, because partial
    /// responses are not stored.
    static let heuristicallyCacheable: Set = [
        200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501,
    ]

    /// The maximum number of names in the `Vary` of a stored response: each lookup compares all of them.
    private static let maximumVaryNames = 100

    /// Returns what to store of a response; throws the reason if it may not be stored.
    func storedResponse(
        _ response: NetworkResponse,
        to request: CacheRequest,
        receivedAt: Date
    ) throws(StoringObstacle) -> StoredResponse {
        if response.sentStatusCode != nil { throw .failure }
        if response.statusCode == 206 || response.mayBeTruncated
            || response.isNotJSON(accepting: request.fields["accept"])
        {
            throw .content
        }
        if response.isRedirected(from: request.url) { throw .redirect }
        // The redirect has dropped the token, so the response may be that to a guest.
        if response.isOfOtherOrigin { throw .detour }
        let stored = try storable(
            StoredResponse(
                statusCode: response.statusCode,
                headers: response.headers,
                body: response.body,
                requestedAt: response.requestedAt ?? receivedAt,
                receivedAt: receivedAt
            ),
            for: request
        )
        // A success may be served as stale-if-error. Other responses are stored only if they can be
        // served fresh or revalidated.
        guard
            response.isSuccess || freshness(of: stored).lifetime > 0 || stored.headers.hasValidator
        else { throw .freshness }
        return stored
    }

    /// Returns a response, new or updated by a 304, with its storable header fields and its vary fields; throws the
    /// reason if it may not be stored.
    func storable(
        _ response: StoredResponse,
        for request: CacheRequest
    ) throws(StoringObstacle) -> StoredResponse {
        let control = response.headers.cacheControl
        let names = response.headers.varyNames
        if let obstacle = obstacle(to: response, control) { throw obstacle }
        if names.contains("*") || names.count > Self.maximumVaryNames { throw .vary }
        var stored = response
        stored.headers = response.headers.storable(without: control.noCacheFields)
        if let tokenHeader { stored.headers[tokenHeader] = nil }
        let values = names.map { ($0, request.varyValue($0)) }
        stored.varyFields = Dictionary(values) { first, _ in first }
        return stored
    }

    /// Returns whether a status code describes a temporary failure of the server or the credentials: the response does
    /// not replace or remove one with another status code, and is not served once it is stale.
    func isTransient(_ statusCode: Int) -> Bool {
        statusCode >= 500 || [408, 421, 425, 429].contains(statusCode)
            || Self.aboutCredentials.contains(statusCode)
    }

    /// The status codes of responses that depend on the credentials of the request.
    ///
    /// They are not stored, because inner behaviors add credentials that the cache does not see.
    private static let aboutCredentials: Set = [401, 403, 407]

    private func obstacle(
        to response: StoredResponse,
        _ control: CacheControl
    ) -> StoringObstacle? {
        let isUnderstood = Self.heuristicallyCacheable.contains(response.statusCode)
        guard (200..<600).contains(response.statusCode),
            ![206, 304].contains(response.statusCode),
            !Self.aboutCredentials.contains(response.statusCode)
        else { return .status }
        guard control.has("must-understand") ? isUnderstood : !control.has("no-store") else {
            return control.has("no-store") ? .noStore : .status
        }
        guard
            isUnderstood || response.headers["Expires"] != nil
                || ["max-age", "public", "private"].contains(where: control.has)
        else { return .status }
        return nil
    }
}

extension NetworkResponse {
    /// Returns whether a redirect led from a URL to the response of another one.
    func isRedirected(from url: URL) -> Bool {
        self.url.map { !$0.isSameResource(as: url) } ?? false
    }
}

extension URL {
    /// Returns whether two URLs are equivalent, so that no redirect led from one to the other.
    ///
    /// The case of scheme and host, a default port, an empty path and the fragment make no
    /// difference.
    fileprivate func isSameResource(as other: URL) -> Bool {
        if self == other { return true }
        func pathAndQuery(_ url: URL) -> [String?] {
            let path = url.path(percentEncoded: true)
            return [path.isEmpty ? "/" : path, url.query(percentEncoded: true)]
        }
        return hasSameOrigin(as: other) && pathAndQuery(self) == pathAndQuery(other)
    }
}
