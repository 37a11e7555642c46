/// The choices of a test run: all of them in turn, or random ones.
protocol Choosing {
    /// Returns a number from 0 up to, but not including, a count.
    mutating func choose(of count: Int) -> Int
}

/// All sequences of choices, one for each run; the last choice changes first.
struct EveryChoice: Choosing {
    private var path: [(choice: Int, count: Int)] = []
    private var depth = 0
    /// Whether the same choices have led to different runs.
    private(set) var hasStrayed = false

    mutating func choose(of count: Int) -> Int {
        if depth == path.count { path.append((0, count)) }
        defer { depth += 1 }
        // A run with another number of options cannot continue the enumeration.
        if path[depth].count != count { hasStrayed = true }
        return min(path[depth].choice, count - 1)
    }

    /// Prepares the next run; returns `false` when there is none.
    mutating func next() -> Bool {
        depth = 0
        while let last = path.popLast() {
            guard last.choice + 1 == last.count else {
                path.append((last.choice + 1, last.count))
                return true
            }
        }
        return false
    }
}

/// Random choices, the same for the same seed.
struct SeededChoice: Choosing {
    private var chance: SeededGenerator

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
    }

    mutating func choose(of count: Int) -> Int {
        Int(chance.next() % UInt64(count))
    }
}

/// A random number generator that produces the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
