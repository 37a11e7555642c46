#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A session of the host's own as networking, with the session's own settings.
///
/// On Linux the session follows redirects with all headers, waits forever on some challenges, and
/// bounds neither time nor memory: prefer ``URLSessionTransport``, which is what `.system` is.
extension URLSession: Networking {
    /// Sends a request through this session.
    ///
    /// A cancelled task gets its `CancellationError` at once, and the session's task is cancelled
    /// from a dispatch queue: on Linux the session's own async methods can deadlock there.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        try request.validate()
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
