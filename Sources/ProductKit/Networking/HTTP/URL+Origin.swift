import Foundation

extension URL {
    /// Whether both URLs have the same scheme, host and port (RFC 6454).
    func hasSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased()
            && host?.lowercased() == other.host?.lowercased()
            && effectivePort == other.effectivePort
    }

    /// Whether requests to the URL are sent unencrypted to another computer.
    var isInsecure: Bool {
        scheme?.lowercased() == "http" && !isLoopback
    }

    private var isLoopback: Bool {
        let host = host?.lowercased() ?? ""
        if ["localhost", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost") {
            return true
        }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy { UInt8($0).map(String.init) == String($0) }
    }

    private var effectivePort: Int? {
        port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""]
    }
}

extension URL {
    /// The URL without user information and fragment, and with `redacted` for values of query items
    /// whose names suggest secrets.
    var withoutSecrets: URL? {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return nil
        }
        components.user = nil
        components.password = nil
        components.fragment = nil
        components.queryItems = components.queryItems?.map { item in
            // Some servers separate items with semicolons: then the value contains more names.
            let furtherNames = item.value.map { $0.contains("=") ? $0 : "" } ?? ""
            let text = (item.name + furtherNames).lowercased()
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
