import Foundation

/// The fields of an answer that decide what a cache may do with it.
extension NetworkHeaders {
    /// The directives for caches.
    var cacheControl: CacheControl { CacheControl(self["Cache-Control"]) }

    /// How old the answer was when it left the cache before us (RFC 9111 §5.1): the first member, in
    /// digits only.
    var age: Double? {
        self["Age"].flatMap { $0.listMembers.first.flatMap { String($0).deltaSeconds } }
    }

    /// The names that the answer was selected by, in lower case (RFC 9110 §12.5.5).
    var selectingNames: [String] {
        self["Vary"].map { $0.listMembers.map { $0.lowercased() } } ?? []
    }

    /// Whether the server can be asked if the answer is still good.
    var hasValidator: Bool { self["ETag"] != nil || self["Last-Modified"] != nil }

    /// A moment in a field; `nil` without the field or for what is no moment.
    func date(_ name: String, now: Date) -> Date? {
        self[name].flatMap { HTTPDate.date(from: String($0[...].withoutBlanks), now: now) }
    }

    /// The fields as they may be kept (RFC 9111 §3.1): without those of one connection, and without
    /// others that are named in lower case.
    func storable(without excluded: [String] = []) -> NetworkHeaders {
        let named = self["Connection"]?.listMembers.map { $0.lowercased() } ?? []
        let names = Self.connectionFields.union(named).union(excluded)
        return NetworkHeaders(
            lazy.filter { name, _ in
                let name = name.lowercased()
                return !names.contains(name) && !name.hasPrefix("proxy-")
            }
        )
    }

    private static let connectionFields: Set = [
        "connection", "keep-alive", "te", "transfer-encoding", "upgrade",
    ]
}
