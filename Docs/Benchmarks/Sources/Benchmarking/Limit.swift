/// The allowed range of a result.
public struct Limit: Codable, Sendable {
    let quantity: Quantity
    let least: Double?
    let most: Double
    let goal: Double?
    /// The number by which a ratio may exceed the limit in a quick measurement.
    let margin: Double

    private init(
        _ quantity: Quantity,
        least: Double? = nil,
        _ most: Double,
        goal: Double?,
        margin: Double = 0
    ) {
        self.quantity = quantity
        self.least = least
        self.most = most
        self.goal = goal
        self.margin = margin
    }

    /// A multiple of the peer's CPU time.
    ///
    /// - Parameters:
    ///   - most: The maximum.
    ///   - goal: A stricter value to aim for.
    ///   - margin: The number by which the ratio may exceed the limit in a quick measurement. It is
    ///     larger for code that waits for other threads: a busy machine makes that more expensive.
    /// - Returns: The limit.
    public static func ratio(_ most: Double, goal: Double? = nil, margin: Double = 0.15) -> Limit {
        Limit(.ratio, most, goal: goal, margin: margin)
    }

    /// Nanoseconds for each operation, on a machine with the nominal speed of the reference task.
    public static func cost(_ nanoseconds: Double, goal: Double? = nil) -> Limit {
        Limit(.cost, nanoseconds, goal: goal)
    }

    /// Nanoseconds more than the peer, on a machine with the nominal speed of the reference task.
    public static func extraCost(_ nanoseconds: Double, goal: Double? = nil) -> Limit {
        Limit(.extraCost, nanoseconds, goal: goal)
    }

    /// The maximum number of heap allocations for each operation.
    public static func allocations(_ most: Double) -> Limit {
        Limit(.allocations, most, goal: nil)
    }

    /// The exact number of heap allocations for each operation.
    public static func allocations(exactly count: Double) -> Limit {
        Limit(.allocations, least: count, count, goal: nil)
    }

    /// The exact number of jobs on the global executor for each operation.
    public static func hops(exactly count: Double) -> Limit {
        Limit(.hops, least: count, count, goal: nil)
    }

    /// The maximum number of jobs on the global executor for each operation.
    public static func hops(_ most: Double) -> Limit {
        Limit(.hops, most, goal: nil)
    }

    /// The maximum number of notified observers for each operation.
    public static func notifications(_ most: Double) -> Limit {
        Limit(.notifications, most, goal: nil)
    }

    /// The exact number of notified observers for each operation.
    public static func notifications(exactly count: Double) -> Limit {
        Limit(.notifications, least: count, count, goal: nil)
    }

    /// The maximum of additional memory.
    public static func growth(bytes: Double) -> Limit {
        Limit(.growth, bytes, goal: nil)
    }

    /// The maximum of additional memory.
    public static func growth(megabytes: Double, goal: Double? = nil) -> Limit {
        Limit(.growth, megabytes * 1e6, goal: goal.map { $0 * 1e6 })
    }

    /// The maximum elapsed time.
    public static func duration(milliseconds: Double, goal: Double? = nil) -> Limit {
        Limit(.duration, milliseconds * 1e6, goal: goal.map { $0 * 1e6 })
    }

    /// Whether a value is within the limit.
    func allows(_ value: Double, _ effort: Effort) -> Bool {
        value <= effort.margin(of: self) && value >= least ?? value
    }
}
