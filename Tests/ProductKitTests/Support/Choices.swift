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

/// Random ways that a seed repeats.
struct SeededChoice: Choosing {
    private var chance: SeededGenerator

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
    }

    mutating func choose(of count: Int) -> Int {
        Int(chance.next() % UInt64(count))
    }
}
