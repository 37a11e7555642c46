/// The kinds of results.
public enum Quantity: String, Codable, Sendable {
    /// CPU time in nanoseconds for each operation.
    case time
    /// The time divided by that of the peer.
    case ratio
    /// Elapsed time in nanoseconds.
    case duration
    /// Additional memory of the process, in bytes.
    case growth
    /// Heap allocations for each operation.
    case allocations
    /// Jobs on the global executor for each operation: leaving an actor, starting or resuming a task.
    case hops
    /// Notified observers for each operation.
    case notifications
    /// Calls of the system that write to a file, for each operation.
    case writes
    /// Calls of the system that wait until a file is on the disk, for each operation.
    case syncs
    /// Bytes in memory or on disk for each element.
    case bytes

    /// Whether the result is a count, which depends on the code alone and not on the machine.
    var isCount: Bool {
        switch self {
        case .time, .ratio, .duration, .growth: false
        case .allocations, .hops, .notifications, .writes, .syncs, .bytes: true
        }
    }
}

/// One result, with the result of the peer.
public struct Figure: Codable, Sendable {
    /// The kind of result.
    public let quantity: Quantity
    /// The value.
    public let value: Double
    /// The value of the peer; `nil` if there is none, or if the value already compares both.
    public let peer: Double?

    /// Creates a figure.
    public init(_ quantity: Quantity, _ value: Double, peer: Double? = nil) {
        self.quantity = quantity
        self.value = value
        self.peer = peer
    }
}
