#if canImport(FoundationNetworking)
import Foundation
#else
public import Foundation
#endif

/// Networking that sends requests through a `URLSession` of the app, with the session's settings.
///
/// Prefer ``URLSessionTransport`` (`.system`). A `URLSession` does not limit the size of a response. It limits the
/// whole time only by the `timeoutIntervalForResource` of its configuration, and on Linux not at all. It follows
/// redirects itself, with all header fields; on Apple platforms with all but `Authorization`, which is missing on the
/// same server, too. After 301, 302 and 303, a `POST` becomes a `GET`. To apply the redirect rules of
/// ``SystemTransport`` instead, call `completionHandler(nil)` in the delegate method for redirects, and pass
/// `session.followingRedirects()`. If the system sends a `PUT` or `DELETE` again in vain, the code is `unreachable`,
/// although the server may have carried out the first one. On Linux, it waits forever after some 401 responses.
extension URLSession: Networking {
    /// Sends a request through this session.
    ///
    /// The session must not be invalidated while it is used. A background session throws a ``NetworkError`` with the
    /// code ``NetworkError/Code-swift.struct/invalidRequest``: it can send no request of this kind.
    ///
    /// When the calling task is cancelled, it throws `CancellationError` immediately, and cancels
    /// the session's task on a dispatch queue. On Linux, the `async` methods of `URLSession` can
    /// deadlock in this case.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try request.validate()
        guard configuration.identifier == nil else {
            throw NetworkError(
                .invalidRequest,
                request: request,
                details: "A background session cannot send the request. Use another session."
            )
        }
        let request = request.withLowercaseScheme
        return try await withCancellableCompletion { finish in
            let task = dataTask(with: request) { body, response, error in
                finish(
                    Result {
                        if let error {
                            throw NetworkError(system: error, request: request, response: response)
                        }
                        return try NetworkResponse(response, body: body ?? Data(), to: request)
                    }
                )
            }
            task.resume()
            return { task.cancel() }
        }
    }
}
