import Foundation

extension URL {
    /// The address without user information, fragment, and values that sound like secrets.
    var withoutSecrets: URL? {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return nil
        }
        components.user = nil
        components.password = nil
        components.fragment = nil
        components.queryItems = components.queryItems?.map { item in
            // A value with a name in it has names of its own: some separate with semicolons.
            let value = item.value.map { $0.contains("=") ? $0 : "" } ?? ""
            let text = (item.name + value).lowercased()
            guard secretWords.contains(where: text.contains) else { return item }
            return URLQueryItem(name: item.name, value: "redacted")
        }
        return components.url
    }
}

private let secretWords = [
    "token", "secret", "pass", "pwd", "pin", "otp", "key", "sig", "auth", "bearer", "code",
    "session", "credential", "jwt",
]
