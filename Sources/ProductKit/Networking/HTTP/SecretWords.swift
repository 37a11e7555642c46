/// Words that suggest a secret, in the names of header fields and of query items.
///
/// A header field is left out where it must not be stored, so only words of its name count, and `X-Author` is
/// ordinary. Of a query item only the value is redacted, so every part of its name counts, and more words do.
enum SecretWords {
    /// Words that suggest a secret also as parts of longer words, as in `X-AccessToken`.
    private static let parts = [
        "accesskey", "apikey", "assertion", "authent", "authoriz", "bearer", "cookie", "credential",
        "csrf", "hmac", "jwt", "nonce", "oauth", "passphrase", "password", "saml", "secret",
        "session", "sessid", "signature", "ticket", "token", "xsrf",
    ]
    /// Words that are parts of ordinary words, such as "pin" of "shipping".
    private static let words = [
        "auth", "card", "cred", "creds", "cvc", "cvv", "key", "otp", "pass", "pin", "pw", "pwd",
        "refresh", "sas", "sess", "sid", "sig", "totp",
    ]
    /// Words that ordinary header fields contain, such as `Access-Control-Allow-Origin` and `X-Error-Code`.
    private static let queryWords = ["access", "code", "hash"]
    /// Names of ordinary query items that contain one of these words.
    private static let ordinaryNames = ["country", "currency", "language", "locale"].flatMap {
        ["\($0)code", "\($0)_code"]
    }

    /// Returns whether a header field with this name may contain a secret.
    static func areInFieldName(_ name: String) -> Bool {
        name.lowercased().split { $0 == "-" || $0 == "_" || $0 == "." }.contains { word in
            words.contains { $0 == word } || parts.contains { word.contains($0) }
        }
    }

    /// Returns whether the name of a query item suggests a secret, or whether a text contains such a name.
    static func areInQuery(_ text: String) -> Bool {
        var text = text.lowercased()
        if text.contains("code") {
            for name in ordinaryNames { text = text.replacing(name, with: "") }
        }
        return [parts, words, queryWords].joined().contains { text.contains($0) }
    }
}
