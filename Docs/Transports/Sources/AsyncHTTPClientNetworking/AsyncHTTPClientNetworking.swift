public import AsyncHTTPClient
import NIOCore
import NIOHTTP1
public import ProductKit

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Networking for servers, over the client of swift-server.
///
/// Unlike the system's session on Linux it survives every answer. The client is the caller's, to
/// share and to shut down; give it ``AsyncHTTPClient/HTTPClient/Configuration/productKit``:
///
/// ```swift
/// let client = HTTPClient(
///     eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
///     configuration: .productKit
/// )
/// let networking = AsyncHTTPClientNetworking(client)
/// ```
///
/// A client that does not follow redirects returns them as responses. Call `followingRedirects()` on
/// the networking to follow them safely. `HTTPClient.shared` follows redirects itself and sends almost
/// all header fields to other hosts, so do not send secrets with it.
public struct AsyncHTTPClientNetworking: Networking {
    private let client: HTTPClient
    private let maximumBodySize: Int
    private let deadline: Duration

    /// Creates networking over a client.
    ///
    /// - Parameters:
    ///   - client: What sends the requests.
    ///   - maximumBodySize: The most bytes an answer may have, unpacked. A larger one is an error
    ///     with code `tooLarge`, as is a head of more than the 80 KiB that the client allows.
    ///   - deadline: The most time an exchange may take. The request's `timeoutInterval` counts when
    ///     it is shorter.
    public init(
        _ client: HTTPClient,
        maximumBodySize: Int = 16 << 20,
        deadline: Duration = .seconds(60)
    ) {
        self.client = client
        self.maximumBodySize = maximumBodySize
        self.deadline = deadline
    }

    /// Sends a request once.
    ///
    /// - Throws: `CancellationError` at once when the calling task was cancelled, else
    ///   `NetworkError`.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        let message = try HTTPClientRequest(request)
        let limit = min(deadline, .seconds(request.timeoutInterval))
        return try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { try await answer(to: message, request) }
            group.addTask {
                try await Task.sleep(for: limit)
                throw NetworkError(.timedOut, request: request)
            }
            for try await response in group { return response }
            throw CancellationError()
        }
    }

    private func answer(
        to message: HTTPClientRequest,
        _ request: URLRequest
    ) async throws -> NetworkResponse {
        var head: HTTPClientResponse?
        do {
            try Task.checkCancellation()
            let answer = try await client.execute(message, deadline: .distantFuture)
            head = answer
            let body = try await answer.body.collect(upTo: maximumBodySize)
            return NetworkResponse(
                statusCode: Int(answer.status.code),
                headers: answer.headers.reduce(into: [:]) { headers, field in
                    let earlier = headers[field.name].map { $0 + ", " } ?? ""
                    headers[field.name] = earlier + field.value
                },
                body: Data(body.readableBytesView),
                url: answer.url
            )
        } catch {
            try Task.checkCancellation()
            throw NetworkError(error, request: request, hadHead: head != nil)
        }
    }
}
