import ProductKit
import Testing

/// The order in which the cache removes what is not used.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UseOrderTests {
    /// A key that a test can observe.
    private final class Key: Hashable {
        let name: Int
        init(_ name: Int) { self.name = name }
        static func == (one: Key, other: Key) -> Bool { one.name == other.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    @Test(arguments: 0..<20)
    func `it agrees with a sorted array after any operations`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var order = UseOrder<Int, Int>()
        var model: [(key: Int, value: Int)] = []
        var byteCount: Int { model.reduce(0) { $0 + $1.value % 7 } }
        for step in 0..<2_000 {
            let key = Int.random(in: 0..<12, using: &random)
            let known = model.firstIndex { $0.key == key }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                order.insert(step, byteCount: step % 7, for: key)
                if let known { model.remove(at: known) }
                model.append((key, step))
            case 1: #expect(order.remove(key) == known.map { model.remove(at: $0).value })
            default:
                #expect(order.use(key) == known.map { model[$0].value })
                if let known { model.append(model.remove(at: known)) }
            }
            #expect(order.count == model.count && order.leastRecentlyUsed() == model.first?.key)
            #expect(order.byteCount == byteCount)
        }
        #expect(order.contents.map(\.key) == model.reversed().map(\.key))
        #expect(order.contents.map(\.value) == model.reversed().map(\.value))
    }

    // A key may contain a token.
    @Test(arguments: [0, 1, 50])
    func `nothing is left of a removed key`(others: Int) {
        var order = UseOrder<Key, Int>()
        for number in 0..<others { order.insert(number, byteCount: 1, for: Key(number)) }
        weak var removed: Key?
        do {
            let key = Key(-1)
            removed = key
            order.insert(1, byteCount: 1, for: key)
            order.remove(key)
        }

        #expect(removed == nil && order.count == others)
    }

    // Rule: cache/memory-is-limited (50)
    // A key contains the body of a declared read.
    @Test func `no copy of a key is kept but that of the last insertion`() {
        var order = UseOrder<Key, Int>()
        order.insert(1, byteCount: 1, for: Key(1))
        weak var inserted: Key?
        weak var used: Key?
        do {
            let (first, second) = (Key(2), Key(2))
            (inserted, used) = (first, second)
            order.insert(2, byteCount: 1, for: first)
            order.use(Key(1))
            order.use(second)
            order.remove(Key(2))
            order.insert(2, byteCount: 1, for: Key(2))
            order.use(Key(1))
        }

        #expect(inserted == nil)
        #expect(used == nil)
        #expect(order.leastRecentlyUsed()?.name == 2)
    }
}
