public import ProductKit

/// Lets tests write tokens as string literals.
///
/// The library does not, because a token in source code is not secret.
extension AccessToken: ExpressibleByStringLiteral {
    /// Creates a token without expiry and user.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
