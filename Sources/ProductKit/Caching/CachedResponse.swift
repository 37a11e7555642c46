import Foundation

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
    var expired: CachedResponse {
        guard !stored.isExpired else { return self }
        var stored = stored
        stored.isExpired = true
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
