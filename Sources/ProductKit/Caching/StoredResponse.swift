import Foundation

/// An answer as it is kept, with all that its later use depends on.
struct StoredResponse: Hashable, Sendable {
    /// The status.
    var statusCode: Int
    /// The fields, without those that belong to one connection.
    var headers: NetworkHeaders
    /// The body.
    var body: Data
    /// The names in `Vary`, in lower case, with the normalised values that the request had for them;
    /// an empty text stands for a field that the request did not have.
    var selectingFields: [String: String] = [:]
    /// When the request went out that brought it or, later, confirmed it.
    var requestedAt: Date
    /// When the answer came that brought it or, later, confirmed it; the server vouched for it then.
    var receivedAt: Date
    /// Whether a mutation has made it old: not used without asking, but usable to ask and to stand in.
    var isExpired = false
}

extension StoredResponse {
    /// What may be written of it: no secret that the user or the server has sent; `nil` for nothing.
    var writable: StoredResponse? {
        let secrets = ["authorization", "cookie", "proxy-authorization"]
        guard secrets.allSatisfy({ (selectingFields[$0] ?? "").isEmpty }) else { return nil }
        var writable = self
        writable.headers["Set-Cookie"] = nil
        writable.headers["Set-Cookie2"] = nil
        return writable
    }
}
