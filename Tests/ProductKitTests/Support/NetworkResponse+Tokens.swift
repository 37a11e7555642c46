import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkResponse {
    /// The response of a server to which only these tokens are valid.
    init(to request: URLRequest, accepting tokens: Set<String>) {
        self.init(statusCode: tokens.contains(request.token ?? "") ? 200 : 401)
    }
}

extension URLRequest {
    /// The bearer token of the request.
    var token: String? {
        value(forHTTPHeaderField: "Authorization").map { String($0.dropFirst("Bearer ".count)) }
    }
}
