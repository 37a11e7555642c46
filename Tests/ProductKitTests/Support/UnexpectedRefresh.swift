import ProductKit
import Testing

/// A refresh that must not happen.
let unexpectedRefresh: @Sendable (AccessToken) async throws -> AccessToken = { token in
    Issue.record("The token was refreshed.")
    return token
}
