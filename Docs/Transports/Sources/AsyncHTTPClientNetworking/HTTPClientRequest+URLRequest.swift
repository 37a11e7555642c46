import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPClientRequest {
    /// Converts a `URLRequest`.
    ///
    /// - Throws: `NetworkError` with code `invalidRequest` if the request is invalid, or if its body is
    ///   a stream.
    init(_ request: URLRequest) throws {
        try request.validate()
        guard let url = request.url, request.httpBodyStream == nil else {
            throw NetworkError(
                .invalidRequest,
                request: request,
                reason: "This transport cannot send a body stream. Set httpBody instead."
            )
        }
        self.init(url: url.absoluteString)
        method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        headers = HTTPHeaders((request.allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) })
        body = request.httpBody.map { .bytes(ByteBuffer(bytes: $0)) }
    }
}
