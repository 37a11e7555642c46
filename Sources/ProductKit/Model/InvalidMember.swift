/// A report of a member that could not be decoded, and has no value for this reason.
public struct InvalidMember: Hashable, Sendable {
    /// The maximum number of reports of one value.
    static let maximumCount = 100

    /// The path of the member, such as `images[1]`; at most 1 KiB in UTF-8, the rest is cut off.
    public let path: String
    /// The problem, as one sentence of at most 1 KiB in UTF-8.
    public let reason: String

    /// Creates a report of an error in a container.
    init<Key>(_ error: any Error, in container: KeyedDecodingContainer<Key>) {
        self.init(error, droppingFirst: container.codingPath.count)
    }

    /// Creates a report of an error, whose path has a number of coding keys that lead to the value.
    init(_ error: any Error, droppingFirst depth: Int) {
        let error = error as? DecodingError
        path = error?.member(droppingFirst: depth) ?? ""
        reason = error?.reason ?? "It cannot be read."
    }
}

extension Product: MemberReporting {
    var reportCount: Int { invalidMembers.count }
}

extension ProductList: MemberReporting {
    var reportCount: Int { invalidMembers.count }
}

/// A property that `==` and `hash(into:)` of its owner ignore, such as reports about the owner.
@propertyWrapper struct Uncompared<Value: Sendable>: Hashable, Sendable {
    var wrappedValue: Value

    static func == (lhs: Uncompared, rhs: Uncompared) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
