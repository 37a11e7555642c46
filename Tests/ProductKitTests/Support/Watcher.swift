import Observation

/// Counts the changes of observed properties, as a view would observe them.
@MainActor
final class Watcher {
    /// The number of changes.
    private(set) var changes = 0
    private let read: () -> Void

    init<Value>(_ read: @escaping @MainActor () -> Value) {
        self.read = { _ = read() }
        watch()
    }

    private func watch() {
        withObservationTracking(read) { [weak self] in
            MainActor.assumeIsolated {
                self?.changes += 1
                self?.watch()
            }
        }
    }
}
