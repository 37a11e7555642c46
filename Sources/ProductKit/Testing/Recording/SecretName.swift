/// Names that suggest a secret in a recording.
///
/// Logs redact more, by ``SecretWords``. Here each removed value makes requests equal and damages a
/// response, so complete words count: `apiKey` and `pin_code`, but neither `keyword` nor `shipping`.
enum SecretName {
    /// The kind of value that a name belongs to.
    enum Place {
        case headerField
        /// An item of a query or a form.
        case item
        /// A member of JSON.
        case member
    }

    /// Endings of words for credentials that may change between two equal requests.
    private static let credentials = [
        "apikey", "authorization", "csrf", "jwt", "nonce", "otp", "passcode", "passphrase",
        "passwd",
        "password", "pwd", "secret", "token", "xsrf",
    ]
    /// Words, and pairs of words without a separator.
    private static let words: Set = [
        "accesskey", "apikey", "assertion", "auth", "authcode", "authentication", "authkey",
        "bearer",
        "cardnumber", "cred", "credential", "cvc", "cvv", "encryptionkey", "hmac", "jsessionid",
        "oauth", "passcode", "password", "phpsessid", "pin", "privatekey", "saml", "securitycode",
        "sessid",
        "sessionid", "sessionkey", "setcookie", "sig", "signature", "signingkey",
        "verificationcode",
    ]
    /// Complete names, whose words are ordinary in other names, such as `Access-Control`.
    private static let names: Set = [
        "access", "cookie", "cookies", "pass", "pw", "refresh", "sas", "sess", "session", "sid",
    ]
    /// Complete names that are ordinary in JSON.
    private static let itemNames: Set = ["code", "key", "ticket"]
    /// Words before a `token` that is the position in a list.
    private static let positions: Set = [
        "continuation", "cursor", "next", "page", "pagination", "paging", "resume", "sync",
    ]

    /// Returns whether the name suggests a secret.
    static func isSecret(_ name: String, in place: Place) -> Bool {
        if place == .headerField, SecretWords.areInFieldName(name) { return true }
        let words = words(of: name)
        let complete = words.joined()
        if names.contains(complete) || place == .item && itemNames.contains(complete) {
            return true
        }
        return zip([""] + words, words.map(\.singular)).contains { former, word in
            self.words.contains(word) || self.words.contains(former + word)
                || credentials.contains { word.hasSuffix($0) } && !positions.contains(former)
        }
    }

    /// Returns whether the name is that of a credential, which may change between two equal requests.
    static func isCredential(_ name: String) -> Bool {
        let name = words(of: name).joined().singular
        return credentials.contains { name.hasSuffix($0) }
    }

    /// Returns the words of a name such as `user_password`, `apiKey`, `PINCode` or `cvv2`.
    private static func words(of name: String) -> [String] {
        let characters = Array(name)
        var words = [""]
        for (index, character) in characters.enumerated() {
            let isAfterLowercase = index > 0 && characters[index - 1].isLowercase
            let isBeforeLowercase = characters.dropFirst(index + 1).first?.isLowercase == true
            let startsWord = character.isUppercase && (isAfterLowercase || isBeforeLowercase)
            if startsWord || !character.isLetter { words.append("") }
            if character.isLetter { words[words.count - 1] += character.lowercased() }
        }
        return words.filter { !$0.isEmpty }
    }
}

extension String {
    fileprivate var singular: String { hasSuffix("s") ? String(dropLast()) : self }
}
