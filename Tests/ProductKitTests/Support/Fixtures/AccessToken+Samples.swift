import Foundation
public import ProductKit
import Testing

/// Lets tests write tokens as string literals.
///
/// The library does not, because a token in source code is not secret.
extension AccessToken: ExpressibleByStringLiteral {
    /// Creates a token without expiry and user.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

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

/// A refresh that records an issue, because the test expects none.
let unexpectedRefresh: @Sendable (AccessToken) async throws -> AccessToken = { token in
    Issue.record("The token was refreshed.")
    return token
}

extension NetworkError {
    /// The error of a refresh that the server has rejected for ever (RFC 6749 §5.2).
    static func invalidGrant(statusCode: Int = 400) -> NetworkError {
        NetworkError(.json(#"{"error": "invalid_grant"}"#, statusCode: statusCode))
    }
}
