import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Validation (RFC 9111 §4.3), and Updating Stored Header Fields (§3.2).
extension CachePolicy {
    /// Sending a Validation Request (§4.3.1): the server's own words, byte for byte.
    func addConditions(of stored: StoredResponse, to request: inout URLRequest) {
        let fields = [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")]
        for (name, condition) in fields {
            // What could not be sent back is no condition, and no reason not to ask.
            guard let value = stored.headers[name],
                (try? request.checkHeader(name: condition, value: value)) != nil
            else { continue }
            request.setValue(value, forHTTPHeaderField: condition)
        }
    }

    /// Whether a 304 is about what is stored (§4.3.4): it names the same version or none.
    func isConfirmed(_ stored: StoredResponse, by response: NetworkResponse) -> Bool {
        guard let theirs = response.headers["ETag"].map(EntityTag.init) else { return true }
        guard let ours = stored.headers["ETag"].map(EntityTag.init) else { return theirs.isWeak }
        // Packing an answer weakens its tag, and a 304 is not packed: W/"1" and "1" are one version.
        return ours.opaqueTag == theirs.opaqueTag
    }

    /// Freshening Stored Responses upon Validation (§4.3.4): the 304's fields take the place of ours.
    func updated(
        _ stored: StoredResponse,
        by response: NetworkResponse,
        requestedAt: Date,
        receivedAt: Date
    ) -> StoredResponse {
        var updated = stored
        // The age starts anew: what the old answer said of its own does not count any more.
        updated.headers["Age"] = nil
        updated.headers["Date"] = nil
        for (name, value) in response.headers.storable(without: Self.keptFields) {
            updated.headers[name] = value
        }
        updated.requestedAt = requestedAt
        updated.receivedAt = receivedAt
        updated.isInvalidated = false
        return updated
    }

    /// What describes the stored body and not the one that a 304 does not have.
    private static let keptFields = ["content-length", "content-encoding", "content-range"]
}

/// An entity tag (RFC 9110 §8.8.3).
private struct EntityTag {
    /// Whether it says only that two answers mean the same.
    let isWeak: Bool
    /// What stands for the version, with its quotes.
    let opaqueTag: Substring

    init(_ text: String) {
        let text = text[...].trimmed
        isWeak = text.hasPrefix("W/")
        opaqueTag = isWeak ? text.dropFirst(2) : text
    }
}
