import ProductKit
import Testing

/// A refresh that records an issue, because the test expects none.
let unexpectedRefresh: @Sendable (AccessToken) async throws -> AccessToken = { token in
    Issue.record("The token was refreshed.")
    return token
}
