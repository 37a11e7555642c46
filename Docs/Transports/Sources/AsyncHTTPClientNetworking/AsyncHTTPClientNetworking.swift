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

/// A transport for server-side Swift, based on AsyncHTTPClient.
///
/// Unlike `URLSession` on Linux, it does not crash or hang after a malformed response. The caller owns
/// the client, may share it, and must shut it down. Create the client with
/// ``AsyncHTTPClient/HTTPClient/Configuration/productKit``. With another configuration, a response
/// with an invalid status code, such as `HTTP/1.1 000`, terminates the process:
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

    /// Creates a transport from a client.
    ///
    /// - Parameters:
    ///   - client: The client that sends the requests.
    ///   - maximumBodySize: The maximum size of a decompressed response body, in bytes. A larger body
    ///     is an error with code `tooLarge`, and so are more than 256 header fields, and one of more
    ///     than 80 KiB.
    ///   - deadline: The maximum time of an exchange. A shorter `timeoutInterval` of the request
    ///     takes precedence.
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
    /// - Throws: `CancellationError` immediately if the calling task is cancelled, otherwise
    ///   `NetworkError`.
    @concurrent public func response(for request: URLRequest) async throws -> NetworkResponse {
        let message = try HTTPClientRequest(request)
        let limit = min(deadline, .seconds(request.timeoutInterval))
        return try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { try await response(to: message, from: request) }
            group.addTask {
                try await Task.sleep(for: limit)
                throw NetworkError(.timedOut, request: request)
            }
            for try await response in group { return response }
            throw CancellationError()
        }
    }

    private func response(
        to message: HTTPClientRequest,
        from request: URLRequest
    ) async throws -> NetworkResponse {
        var head: HTTPClientResponse?
        do {
            try Task.checkCancellation()
            let response = try await client.execute(message, deadline: .distantFuture)
            head = response
            let body = try await response.body.collect(upTo: maximumBodySize)
            return NetworkResponse(response, body: Data(body.readableBytesView))
        } catch {
            try Task.checkCancellation()
            let response = head.map { NetworkResponse($0, body: Data()) }
            throw NetworkError(error, request: request, head: response)
        }
    }
}

extension NetworkResponse {
    fileprivate init(_ response: HTTPClientResponse, body: Data) {
        self.init(
            statusCode: Int(response.status.code),
            headers: response.headers.reduce(into: [:]) { headers, field in
                let earlier = headers[field.name].map { $0 + ", " } ?? ""
                headers[field.name] = earlier + field.value
            },
            body: body,
            url: response.url
        )
    }
}
