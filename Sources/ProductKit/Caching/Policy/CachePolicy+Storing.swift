import Foundation

/// Storing Responses in Caches (RFC 9111 §3).
extension CachePolicy {
    /// The statuses of which a cache knows all it must (RFC 9110 §15.1): 206 is left out, as no
    /// partial answer is kept.
    static let understoodStatuses: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// What is kept of an answer; `nil` when it may not be kept.
    func stored(
        _ response: NetworkResponse,
        to question: CacheQuestion,
        requestedAt: Date,
        receivedAt: Date
    ) -> StoredResponse? {
        guard response.url.map({ $0.isSameResource(as: question.url) }) ?? true else { return nil }
        return stored(
            StoredResponse(
                statusCode: response.statusCode,
                headers: response.headers,
                body: response.body,
                requestedAt: requestedAt,
                receivedAt: receivedAt
            ),
            to: question
        )
    }

    /// The same answer as it may be kept, whole or updated by a 304; `nil` when it may not be kept.
    func stored(_ response: StoredResponse, to question: CacheQuestion) -> StoredResponse? {
        let control = response.headers.cacheControl
        let names = response.headers.selectingNames
        guard allowsStoring(response, control), !names.contains("*") else { return nil }
        var stored = response
        stored.headers = response.headers.storable(without: control.unusableFields)
        let values = names.map { ($0, question.selectingValue($0)) }
        stored.varyFields = Dictionary(values) { first, _ in first }
        return stored
    }

    /// Whether an answer is too passing to take the place of another kind of answer, or to make it
    /// forgotten.
    func isPassing(_ statusCode: Int) -> Bool {
        statusCode >= 500 || [401, 408, 429].contains(statusCode)
    }

    private func allowsStoring(_ response: StoredResponse, _ control: CacheControl) -> Bool {
        let isUnderstood = Self.understoodStatuses.contains(response.statusCode)
        guard control.has("must-understand") ? isUnderstood : !control.has("no-store"),
            (200..<600).contains(response.statusCode), ![206, 304].contains(response.statusCode),
            isUnderstood || control.isExplicit || response.headers["Expires"] != nil
        else { return false }
        // A success can be validated or stand in; anything else must be good for something at once.
        return response.statusCode < 300 || freshness(of: response).lifetime > 0
            || response.headers.hasValidator
    }
}

extension CacheControl {
    /// Whether the server says that the answer may be stored whatever its status.
    fileprivate var isExplicit: Bool { has("max-age") || has("public") || has("private") }
}

extension URL {
    /// Whether no redirect led from one to the other; texts may differ where nothing is meant by it.
    fileprivate func isSameResource(as other: URL) -> Bool {
        if self == other { return true }
        func address(_ url: URL) -> [String?] {
            let path = url.path(percentEncoded: true)
            return [path.isEmpty ? "/" : path, url.query(percentEncoded: true)]
        }
        return hasSameOrigin(as: other) && address(self) == address(other)
    }
}
