/// A reference task that measures the present speed of the machine.
///
/// Other load on the same processor can slow everything for minutes. Limits in nanoseconds apply
/// to a machine on which the task takes ``nominal``. Results are scaled by the time of the task,
/// which runs in every round. The limits were chosen on an idle 2.8 GHz Xeon, where calling an
/// action takes 31 ns, a reload 470 ns more, and the task 250 ns.
struct Yardstick {
    /// The CPU time of the task on the machine for which the limits were chosen, in nanoseconds.
    static let nominal = 250.0

    private let texts = opaque((0..<16).map { "a text too long to be stored inline: \($0)" })
    private var counts: [Int: Int] = [:]

    /// The present CPU time of the task, in nanoseconds.
    mutating func measure() -> Double {
        let start = Counters.cpuSeconds
        work(1_000)
        return (Counters.cpuSeconds - start) * 1e6
    }

    /// Performs the work as often as `count` specifies.
    private mutating func work(_ count: Int) {
        for number in 0..<count {
            // Copies, reference counts, string comparisons, a hash table, and allocations.
            let copy = Array(texts.reversed())
            if copy[number % 16] != texts[number % 16] { counts[number % 64, default: 0] += 1 }
            keep(copy)
        }
    }
}
