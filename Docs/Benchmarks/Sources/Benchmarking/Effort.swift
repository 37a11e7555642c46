/// The precision of a measurement.
struct Effort: Codable, Sendable {
    /// The name, for the report.
    let name: String
    /// The number of rounds that alternate the subject and its peer.
    let rounds: Int
    /// The CPU time of one block in seconds.
    let turn: Double
    /// A factor for the rounds of long measurements.
    let patience: Int

    /// The precision for published results.
    static let full = Effort(name: "full", rounds: 41, turn: 0.004, patience: 1)
    /// The precision for continuous integration: exact counts, approximate times.
    static let quick = Effort(name: "quick", rounds: 9, turn: 0.002, patience: 1)

    /// The same with more rounds, to repeat a measurement that exceeds its limit.
    var thorough: Effort {
        Effort(name: name, rounds: rounds * 2 + 1, turn: turn, patience: 2)
    }

    /// The limit including its margin, which is zero for counts and memory.
    func margin(of limit: Limit) -> Double {
        guard name == Effort.quick.name else { return limit.most }
        return switch limit.quantity {
        case .ratio: limit.most + limit.margin
        case .time, .cost, .extraCost, .duration: limit.most * 1.5
        case .allocations, .hops, .notifications, .growth: limit.most
        }
    }
}
