/// What can be told of a benchmark.
public enum Quantity: String, Codable, Sendable {
    /// CPU time of the process, in nanoseconds an operation.
    case time
    /// The same over the peer's: 1 is as much.
    case ratio
    /// CPU time in nanoseconds an operation, scaled by the yardstick.
    case cost
    /// The same less the peer's.
    case extraCost
    /// Blocks of memory asked for, an operation.
    case allocations
    /// Jobs handed to the global executor, an operation: an actor left, a task begun or resumed.
    case hops
    /// Observers told, an operation.
    case notifications
    /// Bytes of memory more in use.
    case growth
    /// Time on the wall, in nanoseconds.
    case duration

    /// Whether it is counted, not timed: the same in every run.
    var isExact: Bool { [.allocations, .hops, .notifications].contains(self) }
}

/// One thing that was measured, beside its peer's.
public struct Figure: Codable, Sendable {
    /// What it tells.
    public let quantity: Quantity
    /// How much.
    public let value: Double
    /// The same of the peer; `nil` when there is none, or when the value compares the two already.
    public let peer: Double?

    /// Creates a figure.
    public init(_ quantity: Quantity, _ value: Double, peer: Double? = nil) {
        self.quantity = quantity
        self.value = value
        self.peer = peer
    }
}
