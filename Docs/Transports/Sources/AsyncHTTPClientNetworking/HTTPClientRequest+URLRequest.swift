import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPClientRequest {
    /// Creates the same request for the client.
    ///
    /// - Throws: `NetworkError` with code `invalidRequest` for a request that no client should send,
    ///   and for one whose body is a stream.
    init(_ request: URLRequest) throws {
        try request.validate()
        guard let url = request.url, request.httpBodyStream == nil else {
            throw NetworkError(
                .invalidRequest,
                request: request,
                reason: "The body is a stream; read it and set httpBody."
            )
        }
        self.init(url: url.absoluteString)
        method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        headers = HTTPHeaders((request.allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) })
        body = request.httpBody.map { .bytes(ByteBuffer(bytes: $0)) }
    }
}
