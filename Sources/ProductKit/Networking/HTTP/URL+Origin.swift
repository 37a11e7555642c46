import Foundation

extension URL {
    /// Whether scheme, host and port are the same (RFC 6454).
    func hasSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased()
            && host?.lowercased() == other.host?.lowercased()
            && effectivePort == other.effectivePort
    }

    /// Whether others on the way could read and change what is sent there.
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
