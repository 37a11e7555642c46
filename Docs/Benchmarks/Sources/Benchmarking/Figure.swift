/// The kinds of results.
public enum Quantity: String, Codable, Sendable {
    /// CPU time in nanoseconds for each operation.
    case time
    /// The CPU time divided by that of the peer.
    case ratio
    /// CPU time in nanoseconds for each operation, scaled by the reference task.
    case cost
    /// The scaled CPU time minus that of the peer.
    case extraCost
    /// Heap allocations for each operation.
    case allocations
    /// Jobs on the global executor for each operation: leaving an actor, starting or resuming a task.
    case hops
    /// Notified observers for each operation.
    case notifications
    /// Additional memory in use, in bytes.
    case growth
    /// Elapsed time in nanoseconds.
    case duration

    /// Whether the result is an exact count, the same in every run.
    var isExact: Bool { [.allocations, .hops, .notifications].contains(self) }
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
