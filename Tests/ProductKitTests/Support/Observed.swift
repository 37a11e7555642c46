import Observation
import ProductKit
import Synchronization

/// A value that can be used from any task, and whose changes ``eventually(_:)`` waits for.
@propertyWrapper final class Observed<Value: Sendable>: Observable, Sendable {
    private let state: Mutex<Value>
    private let registrar = ObservationRegistrar()

    init(wrappedValue: Value) {
        state = Mutex(wrappedValue)
    }

    /// The current value.
    var wrappedValue: Value {
        get {
            registrar.access(self, keyPath: \.wrappedValue)
            return state.withLock { $0 }
        }
        set { change { $0 = newValue } }
    }

    /// Changes the value, and then notifies its observers.
    @discardableResult
    func change<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // An observer on another thread that is notified earlier could still read the former value.
        defer { registrar.willSet(self, keyPath: \.wrappedValue) }
        return try state.withLock { value throws(Failure) in try body(&value) }
    }
}

/// A counter that can be used from any task.
typealias Counter = Observed<Int>

extension Observed<Int> {
    convenience init() { self.init(wrappedValue: 0) }

    /// The current number.
    var count: Int { wrappedValue }

    /// Adds 1 and returns the new number.
    @discardableResult func next() -> Int {
        change { number in
            number += 1
            return number
        }
    }
}

/// A log of lines that can be written from any task.
typealias Lines = Observed<[String]>

extension Observed<[String]> {
    convenience init() { self.init(wrappedValue: []) }

    /// All lines in the order in which they were added.
    var all: [String] { wrappedValue }

    /// Adds a line.
    func add(_ line: String) {
        change { $0.append(line) }
    }
}
