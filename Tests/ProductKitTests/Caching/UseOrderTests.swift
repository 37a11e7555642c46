import ProductKit
import Testing

/// The order in which the cache removes what is not used.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UseOrderTests {
    /// A key that a test can observe.
    private final class Key: Hashable {
        static func == (one: Key, other: Key) -> Bool { one === other }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    @Test(arguments: 0..<20)
    func `it agrees with a sorted array after any operations`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var order = UseOrder<Int, Int>()
        var model: [(key: Int, value: Int)] = []
        for step in 0..<2_000 {
            let key = Int.random(in: 0..<12, using: &random)
            let known = model.firstIndex { $0.key == key }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                order.insert(step, for: key)
                if let known { model.remove(at: known) }
                model.append((key, step))
            case 1: #expect(order.remove(key) == known.map { model.remove(at: $0).value })
            default:
                #expect(order.use(key) == known.map { model[$0].value })
                if let known { model.append(model.remove(at: known)) }
            }
            #expect(order.count == model.count && order.leastRecentlyUsed() == model.first?.key)
        }
        #expect(order.contents.map(\.key) == model.reversed().map(\.key))
        #expect(order.contents.map(\.value) == model.reversed().map(\.value))
    }

    // A key may contain a token.
    @Test(arguments: [0, 1, 50])
    func `nothing is left of a removed key`(others: Int) {
        var order = UseOrder<Key, Int>()
        for number in 0..<others { order.insert(number, for: Key()) }
        weak var removed: Key?
        do {
            let key = Key()
            removed = key
            order.insert(1, for: key)
            order.remove(key)
        }

        // An empty order needs no clean-up.
        if others > 0 { order.removeOutdatedUses() }

        #expect(removed == nil && order.count == others)
    }
}
