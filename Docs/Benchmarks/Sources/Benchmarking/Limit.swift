/// What a figure may be.
public struct Limit: Codable, Sendable {
    let quantity: Quantity
    let least: Double?
    let most: Double
    let goal: Double?

    private init(_ quantity: Quantity, least: Double? = nil, _ most: Double, goal: Double?) {
        self.quantity = quantity
        self.least = least
        self.most = most
        self.goal = goal
    }

    /// So many times the peer's CPU time.
    ///
    /// - Parameters:
    ///   - most: What fails when it is exceeded.
    ///   - goal: What would be better still.
    /// - Returns: The limit.
    public static func ratio(_ most: Double, goal: Double? = nil) -> Limit {
        Limit(.ratio, most, goal: goal)
    }

    /// So many nanoseconds an operation, on a machine as fast as the yardstick's.
    public static func cost(_ nanoseconds: Double, goal: Double? = nil) -> Limit {
        Limit(.cost, nanoseconds, goal: goal)
    }

    /// So many nanoseconds an operation more than the peer, on a machine as fast as the yardstick's.
    public static func extraCost(_ nanoseconds: Double, goal: Double? = nil) -> Limit {
        Limit(.extraCost, nanoseconds, goal: goal)
    }

    /// So many blocks of memory an operation.
    public static func allocations(_ most: Double) -> Limit {
        Limit(.allocations, most, goal: nil)
    }

    /// Exactly so many blocks of memory an operation.
    public static func allocations(exactly count: Double) -> Limit {
        Limit(.allocations, least: count, count, goal: nil)
    }

    /// Exactly so many jobs handed to the global executor, an operation.
    public static func hops(exactly count: Double) -> Limit {
        Limit(.hops, least: count, count, goal: nil)
    }

    /// So many jobs handed to the global executor, an operation.
    public static func hops(_ most: Double) -> Limit {
        Limit(.hops, most, goal: nil)
    }

    /// So many observers told, an operation.
    public static func notifications(_ most: Double) -> Limit {
        Limit(.notifications, most, goal: nil)
    }

    /// Exactly so many observers told, an operation.
    public static func notifications(exactly count: Double) -> Limit {
        Limit(.notifications, least: count, count, goal: nil)
    }

    /// So many bytes.
    public static func growth(bytes: Double) -> Limit {
        Limit(.growth, bytes, goal: nil)
    }

    /// So many bytes.
    public static func growth(megabytes: Double, goal: Double? = nil) -> Limit {
        Limit(.growth, megabytes * 1e6, goal: goal.map { $0 * 1e6 })
    }

    /// So much time on the wall.
    public static func duration(milliseconds: Double, goal: Double? = nil) -> Limit {
        Limit(.duration, milliseconds * 1e6, goal: goal.map { $0 * 1e6 })
    }

    /// Whether a value keeps to the limit.
    func allows(_ value: Double, _ effort: Effort) -> Bool {
        value <= effort.margin(of: self) && value >= least ?? value
    }
}
