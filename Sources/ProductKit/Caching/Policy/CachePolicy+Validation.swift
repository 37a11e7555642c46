import Foundation

/// Validation (RFC 9111 §4.3), and Updating Stored Header Fields (§3.2).
extension CachePolicy {
    /// Sending a Validation Request (§4.3.1): adds the stored validators, unchanged, as conditions.
    func addConditions(of stored: StoredResponse, to request: inout OutgoingRequest) {
        let fields = [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")]
        for (name, condition) in fields {
            // A validator with invalid characters is ignored.
            guard let value = stored.headers[name], value.isFieldValue,
                name == "ETag" || request.headers["If-None-Match"] != nil || hasStrongDate(stored)
            else { continue }
            request.headers[condition] = value
        }
    }

    /// Whether a later change has another `Last-Modified` (RFC 9110 §8.8.2.2): the server has sent the response
    /// at least a second after the one that the field names.
    private func hasStrongDate(_ stored: StoredResponse) -> Bool {
        guard let modified = stored.headers.date("Last-Modified", now: stored.receivedAt) else {
            return true
        }
        let sent = stored.headers.date("Date", now: stored.receivedAt) ?? stored.receivedAt
        return sent.timeIntervalSince(modified) >= 1
    }

    /// Returns whether a 304 validates the stored response (§4.3.4): no redirect led to it, and its
    /// `ETag` is the same or missing.
    func isValidated(
        _ stored: StoredResponse,
        by notModified: NetworkResponse,
        to request: CacheRequest
    ) -> Bool {
        guard !notModified.isRedirected(from: request.url) else { return false }
        guard let tag = notModified.headers["ETag"]?[...].trimmingOWS else { return true }
        guard let storedTag = stored.headers["ETag"]?[...].trimmingOWS else {
            return tag.hasPrefix("W/")
        }
        // Servers weaken the tag of a compressed response, but not that of a 304. So the tags are
        // compared weakly.
        return storedTag.opaqueTag == tag.opaqueTag
    }

    /// Freshening Stored Responses upon Validation (§4.3.4): replaces stored fields with those of a 304.
    func freshened(
        _ stored: StoredResponse,
        with notModified: NetworkResponse,
        receivedAt: Date
    ) -> StoredResponse {
        var freshened = stored
        // The age starts again, even if the 304 has no `Age` and no `Date`.
        freshened.headers["Age"] = nil
        freshened.headers["Date"] = nil
        for (name, value) in notModified.headers.storable(without: Self.bodyFields) {
            freshened.headers[name] = value
        }
        freshened.requestedAt = notModified.requestedAt ?? receivedAt
        freshened.receivedAt = receivedAt
        freshened.isInvalidated = false
        return freshened
    }

    /// The fields that describe the stored body, in lower case.
    ///
    /// A 304 does not change them. Several frameworks give it the media type of an empty web page.
    private static let bodyFields = [
        "content-digest", "content-disposition", "content-encoding", "content-language",
        "content-length", "content-location", "content-md5", "content-range", "content-type",
        "digest", "repr-digest",
    ]
}

extension Substring {
    /// The opaque tag of an entity tag, with its quotation marks (RFC 9110 §8.8.3).
    fileprivate var opaqueTag: Substring { hasPrefix("W/") ? dropFirst(2) : self }
}
