/// The precision of a run.
enum Effort: String, Codable, Sendable {
    /// Counts only, which are the same on every machine.
    case exact
    /// Counts and times, for published results.
    case full
    /// Times with more rounds, to repeat a measurement that exceeds its limit.
    case thorough

    /// The number of rounds that alternate the subject and its peer.
    var rounds: Int { self == .thorough ? 83 : 41 }
    /// A factor for the rounds of long measurements.
    var patience: Int { self == .thorough ? 2 : 1 }
}
