import Foundation

/// The directives of a `Cache-Control` header field (RFC 9111 §5.2).
///
/// Names are not case-sensitive, and arguments are tokens or quoted strings (RFC 9110 §5.6). Empty
/// members are ignored. A quotation mark that is not closed is treated like any other character.
struct CacheControl: Sendable {
    fileprivate struct Directive {
        let name: String
        /// The argument without its quotation marks; empty for invalid syntax, and `nil` if there is none.
        let argument: String?
        var isQuoted = false
    }

    private let directives: [Directive]

    /// Parses the value of a header field; `nil` has no directives.
    init(_ text: String?) {
        directives = text?.listMembers.map { Directive($0) } ?? []
    }

    /// Returns whether a directive is present, with any argument or none.
    func has(_ name: String) -> Bool {
        directives.contains { $0.name == name }
    }

    /// Whether a response must be revalidated even when it is fresh: `no-cache` without field names.
    var requiresRevalidation: Bool {
        directives.contains { $0.name == "no-cache" && $0.fieldNames.isEmpty }
    }

    /// The fields that `no-cache` names, in lower case, which may not be used without revalidation.
    var noCacheFields: [String] {
        directives.filter { $0.name == "no-cache" }.flatMap(\.fieldNames)
    }

    /// The `max-age` in seconds; 0 when the argument is invalid.
    var maxAge: Double? { seconds("max-age", otherwise: 0) }

    /// The `min-fresh` in seconds; infinite when the argument is invalid.
    var minFresh: Double? { seconds("min-fresh", otherwise: .infinity) }

    /// The `max-stale` in seconds; infinite without an argument, and `nil` when the argument is invalid.
    var maxStale: Double? {
        first("max-stale").flatMap { $0.argument == nil ? .infinity : $0.seconds }
    }

    /// The `stale-while-revalidate` in seconds (RFC 5861 §3).
    var staleWhileRevalidate: Double? { seconds("stale-while-revalidate", otherwise: nil) }

    /// The `stale-if-error` in seconds (RFC 5861 §4).
    var staleIfError: Double? { seconds("stale-if-error", otherwise: nil) }

    /// Returns the first directive of a name; later ones are ignored.
    private func first(_ name: String) -> Directive? {
        directives.first { $0.name == name }
    }

    private func seconds(_ name: String, otherwise: Double?) -> Double? {
        first(name).flatMap { $0.seconds ?? otherwise }
    }
}

extension CacheControl.Directive {
    fileprivate init(_ member: Substring) {
        guard let equals = member.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            self.init(name: member.lowercased(), argument: nil)
            return
        }
        let name = member[..<equals].trimmingOWS
        let text = member[member.utf8.index(after: equals)...]
        let quoted = text.unquoted
        // White space before the equals sign is not valid.
        let argument = name.endIndex == equals ? quoted ?? String(text) : ""
        self.init(name: name.lowercased(), argument: argument, isQuoted: quoted != nil)
    }

    fileprivate var seconds: Double? { argument?.deltaSeconds }

    /// The field names in a quoted argument; empty for any other argument.
    fileprivate var fieldNames: [String] {
        guard isQuoted, let argument else { return [] }
        return argument.listMembers.map { $0.lowercased() }
    }
}

/// The header fields that a cache uses.
extension NetworkHeaders {
    var cacheControl: CacheControl { CacheControl(self["Cache-Control"]) }

    /// The first member of `Age` in seconds (RFC 9111 §5.1); `nil` when it is missing or invalid.
    var age: Double? {
        self["Age"]?.listMembers.first.flatMap { String($0).deltaSeconds }
    }

    /// The field names in `Vary`, in lower case (RFC 9110 §12.5.5).
    var varyNames: [String] {
        self["Vary"]?.listMembers.map { $0.lowercased() } ?? []
    }

    /// Whether there is a validator, so that a conditional request is possible.
    var hasValidator: Bool { self["ETag"] != nil || self["Last-Modified"] != nil }

    /// Returns the date in a field; `nil` when it is missing or invalid.
    func date(_ name: String, now: Date) -> Date? {
        self[name].flatMap { HTTPDate.date(from: String($0[...].trimmingOWS), now: now) }
    }

    /// Returns the fields that may be stored (RFC 9111 §3.1): all except those of the connection,
    /// those of proxies and those in `excluded`, which are in lower case.
    func storable(without excluded: [String] = []) -> NetworkHeaders {
        let named = self["Connection"]?.listMembers.map { $0.lowercased() } ?? []
        let names = Self.connectionFields.union(named).union(excluded)
        return filter { name in
            let name = name.lowercased()
            return !names.contains(name) && !name.hasPrefix("proxy-")
        }
    }

    private static let connectionFields: Set = [
        "connection", "keep-alive", "te", "transfer-encoding", "upgrade",
    ]
}
