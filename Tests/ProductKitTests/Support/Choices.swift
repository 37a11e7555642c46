/// Where a run decides: every way once, or at random.
protocol Choosing {
    /// One of so many ways, counted from 0.
    mutating func choose(of count: Int) -> Int
}

/// All ways through a run, one after another: the last decision changes first.
struct EveryChoice: Choosing {
    private var path: [(choice: Int, count: Int)] = []
    private var depth = 0
    /// Whether the same decisions led to different ways.
    private(set) var hasStrayed = false

    mutating func choose(of count: Int) -> Int {
        if depth == path.count { path.append((0, count)) }
        defer { depth += 1 }
        // A run that goes another way than before cannot be continued where it was left.
        if path[depth].count != count { hasStrayed = true }
        return min(path[depth].choice, count - 1)
    }

    /// Prepares the next run; false when there is none.
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

/// Random ways that a seed repeats (SplitMix64).
struct SeededChoice: Choosing {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func choose(of count: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(count))
    }
}
