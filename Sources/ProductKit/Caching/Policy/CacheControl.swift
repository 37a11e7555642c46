import Foundation

/// The directives of a `Cache-Control` field (RFC 9111 §5.2).
///
/// It reads whatever comes: names in any case, arguments as tokens or quoted (RFC 9110 §5.6), empty
/// members, and quotes that nobody closes, which are bytes like others.
struct CacheControl: Sendable {
    fileprivate struct Directive {
        let name: String
        let argument: Argument
    }

    fileprivate enum Argument: Equatable {
        case none
        case token(String)
        case quoted(String)
        /// Nobody can say what was meant.
        case malformed
    }

    private var directives: [Directive] = []

    /// Reads a field; `nil` is one without directives.
    init(_ text: String?) {
        for member in text?.listMembers ?? [] { directives.append(Directive(member)) }
    }

    /// Whether a directive is there, with any argument.
    func has(_ name: String) -> Bool {
        directives.contains { $0.name == name }
    }

    /// Whether nothing may be used without asking; `no-cache` with the names of fields says less.
    var isUnusableUnasked: Bool {
        directives.contains { $0.name == "no-cache" && $0.fieldNames.isEmpty }
    }

    /// The fields that may not be used without asking, in lower case.
    var unusableFields: [String] {
        directives.filter { $0.name == "no-cache" }.flatMap(\.fieldNames)
    }

    /// How old an answer may be; what is no number of seconds is 0.
    var maxAge: Double? { seconds("max-age", otherwise: 0) }

    /// How long an answer must stay fresh; what is no number of seconds is never enough.
    var minFresh: Double? { seconds("min-fresh", otherwise: .infinity) }

    /// How stale an answer may be: however stale, without an argument; not at all, with one that is no
    /// number of seconds.
    var maxStale: Double? {
        guard let directive = first("max-stale"), directive.argument != .none else {
            return has("max-stale") ? .infinity : nil
        }
        return directive.seconds
    }

    /// How stale an answer may be while another is fetched (RFC 5861 §3).
    var staleWhileRevalidate: Double? { seconds("stale-while-revalidate", otherwise: nil) }

    /// How stale an answer may be when the server fails (RFC 5861 §4).
    var staleIfError: Double? { seconds("stale-if-error", otherwise: nil) }

    /// The first of doubled directives counts.
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
            self.init(name: member.lowercased(), argument: .none)
            return
        }
        let name = member[..<equals].trimmed
        let text = member[member.utf8.index(after: equals)...]
        let argument: CacheControl.Argument =
            if name.endIndex != equals {
                .malformed
            } else if let quoted = text.unquoted {
                .quoted(quoted)
            } else {
                .token(String(text))
            }
        self.init(name: name.lowercased(), argument: argument)
    }

    fileprivate var seconds: Double? {
        switch argument {
        case .token(let text), .quoted(let text): text.deltaSeconds
        case .none, .malformed: nil
        }
    }

    /// Only a quoted argument names fields; any other says nothing that could be relied on.
    fileprivate var fieldNames: [String] {
        guard case .quoted(let text) = argument else { return [] }
        return text.listMembers.map { $0.lowercased() }
    }
}

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
        self[name].flatMap { HTTPDate.date(from: String($0[...].trimmed), now: now) }
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
