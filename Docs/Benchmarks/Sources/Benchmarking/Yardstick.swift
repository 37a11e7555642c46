/// A piece of everyday work that tells how fast the machine is just now.
///
/// A neighbor on the same processor makes everything slower for minutes. Limits in nanoseconds are
/// meant for a machine on which one piece takes ``nominal``; what is measured is scaled to that by
/// the yardstick, which takes its turn in every round. The limits were set on a quiet 2.8 GHz Xeon:
/// there a bare action takes 31 ns, a reload 470 ns more, and a piece 250 ns.
struct Yardstick {
    /// Nanoseconds of CPU time a piece takes where the limits were set.
    static let nominal = 250.0

    private let texts = opaque((0..<16).map { "a text too long to stand in the value: \($0)" })
    private var counts: [Int: Int] = [:]

    /// Nanoseconds that a piece takes now.
    mutating func measure() -> Double {
        let start = Counters.cpuSeconds
        work(1_000)
        return (Counters.cpuSeconds - start) * 1e6
    }

    /// Does the work so many times.
    private mutating func work(_ count: Int) {
        for number in 0..<count {
            // Copying and counting references, comparing texts, a table, and memory.
            let copy = Array(texts.reversed())
            if copy[number % 16] != texts[number % 16] { counts[number % 64, default: 0] += 1 }
            keep(copy)
        }
    }
}
