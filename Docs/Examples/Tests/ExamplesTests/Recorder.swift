import Synchronization

/// The values that closures recorded, from any thread, in order.
final class Recorder<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func record(_ value: Value) {
        values.withLock { $0.append(value) }
    }
}
