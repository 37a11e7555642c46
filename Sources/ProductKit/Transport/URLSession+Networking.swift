#if canImport(FoundationNetworking)
import Foundation
#else
public import Foundation
#endif

/// Networking that sends requests through a `URLSession` of the app, with the session's settings.
///
/// On Linux, prefer ``URLSessionTransport`` (`.system`): there, a `URLSession` follows redirects
/// with all header fields, waits forever after some 401 responses, and limits neither the time of a
/// request nor the size of a response.
extension URLSession: Networking {
    /// Sends a request through this session.
    ///
    /// When the calling task is cancelled, it throws `CancellationError` immediately, and cancels
    /// the session's task on a dispatch queue. On Linux, the `async` methods of `URLSession` can
    /// deadlock in this case.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try request.validate()
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
