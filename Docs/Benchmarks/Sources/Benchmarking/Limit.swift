/// The allowed range of a result.
///
/// A limit holds on any machine. It is therefore a count, an amount of memory, or a ratio to other code
/// in the same run. A duration is shown without a limit.
public struct Limit: Codable, Sendable {
    let quantity: Quantity
    let least: Double?
    let most: Double
    let goal: Double?

    private init(_ quantity: Quantity, least: Double? = nil, _ most: Double, goal: Double? = nil) {
        self.quantity = quantity
        self.least = least
        self.most = most
        self.goal = goal
    }

    /// A multiple of the peer's CPU time.
    ///
    /// - Parameters:
    ///   - most: The maximum.
    ///   - goal: A stricter value to aim for.
    /// - Returns: The limit.
    public static func ratio(_ most: Double, goal: Double? = nil) -> Limit {
        Limit(.ratio, most, goal: goal)
    }

    /// The maximum number of heap allocations for each operation.
    public static func allocations(_ most: Double) -> Limit {
        Limit(.allocations, most)
    }

    /// The exact number of heap allocations for each operation.
    public static func allocations(exactly count: Double) -> Limit {
        Limit(.allocations, least: count, count)
    }

    /// The exact number of jobs on the global executor for each operation.
    public static func hops(exactly count: Double) -> Limit {
        Limit(.hops, least: count, count)
    }

    /// The exact number of notified observers for each operation.
    public static func notifications(exactly count: Double) -> Limit {
        Limit(.notifications, least: count, count)
    }

    /// The exact number of calls of the system that write to a file, for each operation.
    public static func writes(exactly count: Double) -> Limit {
        Limit(.writes, least: count, count)
    }

    /// The exact number of calls of the system that wait for the disk, for each operation.
    public static func syncs(exactly count: Double) -> Limit {
        Limit(.syncs, least: count, count)
    }

    /// The maximum number of bytes for each element.
    public static func bytes(_ most: Double) -> Limit {
        Limit(.bytes, most)
    }

    /// The maximum of additional memory of the process.
    public static func growth(megabytes: Double, goal: Double? = nil) -> Limit {
        Limit(.growth, megabytes * 1e6, goal: goal.map { $0 * 1e6 })
    }

    /// Whether a value is within the limit.
    func allows(_ value: Double) -> Bool {
        value <= most && value >= least ?? value
    }
}
