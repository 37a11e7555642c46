import Foundation
import ProductKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkResponse {
    /// What a server answers that knows these tokens and no others.
    init(to request: URLRequest, knowing tokens: Set<String>) {
        self.init(statusCode: tokens.contains(request.token ?? "") ? 200 : 401)
    }
}

extension URLRequest {
    /// The token that signs it.
    var token: String? {
        value(forHTTPHeaderField: "Authorization").map { String($0.dropFirst("Bearer ".count)) }
    }
}
