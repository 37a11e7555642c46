/// How hard to measure.
struct Effort: Codable, Sendable {
    /// What it is called.
    let name: String
    /// How often subject and peer take turns.
    let rounds: Int
    /// How many seconds of CPU time a turn should take.
    let turn: Double
    /// How many times as often what takes long is measured.
    let patience: Int

    /// For a table that people may quote.
    static let full = Effort(name: "full", rounds: 41, turn: 0.004, patience: 1)
    /// For continuous integration: what is counted exactly, the rest roughly.
    static let quick = Effort(name: "quick", rounds: 9, turn: 0.002, patience: 1)

    /// The same with more rounds, for a figure that seems to be over its limit.
    var thorough: Effort {
        Effort(name: name, rounds: rounds * 2 + 1, turn: turn, patience: 2)
    }

    /// What a limit is widened to; what is counted or weighed has no margin.
    func margin(of limit: Limit) -> Double {
        guard name == Effort.quick.name else { return limit.most }
        return switch limit.quantity {
        case .ratio: limit.most + 0.15
        case .time, .cost, .extraCost, .duration: limit.most * 1.5
        case .allocations, .hops, .notifications, .growth: limit.most
        }
    }
}
