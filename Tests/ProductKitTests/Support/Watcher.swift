import Observation

/// Reads again whenever what it read changes, as a screen does, and counts the changes.
@MainActor
final class Watcher {
    /// How often what was read was about to change.
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
