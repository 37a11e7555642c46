import Foundation

/// An answer as it is kept, with all that its later use depends on.
struct StoredResponse: Hashable, Sendable {
    /// The status.
    var statusCode: Int
    /// The fields, without those that belong to one connection.
    var headers: NetworkHeaders
    /// The body.
    var body: Data
    /// The names in `Vary`, in lower case, with the normalized values that the request had for them;
    /// an empty text stands for a field that the request did not have.
    var varyFields: [String: String] = [:]
    /// When the request went out that brought it or, later, confirmed it.
    var requestedAt: Date
    /// When the answer came that brought it or, later, confirmed it; the server vouched for it then.
    var receivedAt: Date
    /// Whether a mutation has made it old: not used without asking, but usable to ask and to stand in.
    var isInvalidated = false
}

extension StoredResponse {
    /// What may be written of it: no secret that the user or the server has sent; `nil` for nothing.
    var writable: StoredResponse? {
        let secrets = ["authorization", "cookie", "proxy-authorization"]
        guard secrets.allSatisfy({ (varyFields[$0] ?? "").isEmpty }) else { return nil }
        var writable = self
        writable.headers["Set-Cookie"] = nil
        writable.headers["Set-Cookie2"] = nil
        return writable
    }
}

/// A stored answer in memory, with what is worked out of it once so that a hit costs little.
final class CachedResponse: Sendable {
    /// The answer, as a file would hold it.
    let stored: StoredResponse
    /// How long it may be used.
    let freshness: Freshness
    /// Which question brought it; a later question's answer is newer.
    let question: Int

    init(_ stored: StoredResponse, freshness: Freshness, question: Int = 0) {
        self.stored = stored
        self.freshness = freshness
        self.question = question
    }

    /// About how many bytes it takes.
    var byteCount: Int {
        stored.headers.reduce(stored.body.count + 256) { count, field in
            count + field.name.utf8.count + field.value.utf8.count + 32
        }
    }

    /// The same answer, not to be used without asking any more.
    var invalidated: CachedResponse {
        guard !stored.isInvalidated else { return self }
        var stored = stored
        stored.isInvalidated = true
        return CachedResponse(stored, freshness: freshness, question: question)
    }

    /// The answer for a caller, with its age in whole seconds (RFC 9111 §5.1).
    func response(
        for url: URL,
        at now: Date,
        source: FetchSource
    ) -> NetworkResponse {
        var response = NetworkResponse(
            statusCode: stored.statusCode,
            headers: stored.headers,
            body: stored.body,
            url: url
        )
        response.headers["Age"] = String(Int(min(freshness.age(at: now), 2_147_483_648)))
        response.source = source
        return response
    }
}
