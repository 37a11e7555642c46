import Foundation

/// The responses to the latest writes that had an `Idempotency-Key`.
///
/// A write that is sent again with the same key gets the first response, and is not carried out
/// again. So it does not undo what another client has changed since.
struct CompletedRequests: Sendable {
    /// A key, which each client chooses for its own user.
    struct Key: Hashable, Sendable {
        let user: String
        let text: String
    }

    private struct Completion: Sendable {
        let method: String
        let path: String
        let body: Data
        let response: StoreResponse
    }

    /// The maximum number of keys.
    private static let limit = 10_000

    /// The number of requests whose key was known.
    private(set) var repetitionCount = 0

    private var completions: [Key: Completion] = [:]
    /// The keys, the oldest first.
    private var keys: [Key] = []

    /// Returns the first response to a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - key: The key of the request.
    /// - Returns: The response, or `nil` if the key is unknown.
    /// - Throws: A problem if the key belongs to another request.
    mutating func response(
        to request: StoreRequest,
        key: Key
    ) throws(Problem) -> StoreResponse? {
        guard let completion = completions[key] else { return nil }
        guard
            completion.method == request.method, completion.path == request.path,
            completion.body == request.body
        else {
            throw Problem(422, detail: "The idempotency key belongs to another request.")
        }
        repetitionCount += 1
        return completion.response
    }

    /// Stores the response to a request that was carried out.
    mutating func add(_ response: StoreResponse, to request: StoreRequest, key: Key) {
        if keys.count >= 2 * Self.limit {
            for key in keys.prefix(Self.limit) { completions[key] = nil }
            keys.removeFirst(Self.limit)
        }
        keys.append(key)
        completions[key] = Completion(
            method: request.method,
            path: request.path,
            body: request.body,
            response: response
        )
    }
}
