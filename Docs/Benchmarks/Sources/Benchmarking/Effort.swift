/// How hard to measure.
public struct Effort: Sendable {
    /// How often subject and peer take turns.
    let rounds: Int
    /// How many seconds of CPU time a turn should take.
    let turn: Double
    /// What limits of time and memory are multiplied by; what is counted has no margin.
    let margin: Double

    /// For a table that people may quote.
    static let full = Effort(rounds: 41, turn: 0.004, margin: 1)
    /// For continuous integration: what is counted exactly, the rest roughly.
    static let quick = Effort(rounds: 9, turn: 0.002, margin: 1.5)

    /// The same with more rounds, for a figure that seems to be over its limit.
    var thorough: Effort { Effort(rounds: rounds * 2, turn: turn, margin: margin) }
}
