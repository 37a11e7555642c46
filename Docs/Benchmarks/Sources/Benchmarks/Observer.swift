import Observation
import Synchronization

/// Observes the properties that a closure reads, as a view does.
///
/// Observation notifies it once; ``observeAgain()`` then renews the observation.
@MainActor final class Observer {
    private let read: @MainActor () -> Void
    private let flag = ChangeFlag()
    /// The number of notifications that ``observeAgain()`` has counted.
    private(set) var notificationCount = 0

    init(_ read: @escaping @MainActor () -> Void) {
        self.read = read
        observe()
    }

    /// Counts a notification and observes again, if there was one.
    func observeAgain() {
        guard flag.hasChanged.exchange(false, ordering: .relaxed) else { return }
        notificationCount += 1
        observe()
    }

    private func observe() {
        withObservationTracking(read) { [flag] in
            flag.hasChanged.store(true, ordering: .relaxed)
        }
    }
}

private final class ChangeFlag: Sendable {
    let hasChanged = Atomic(false)
}

/// An observable object with one property: the minimum that Observation costs.
@MainActor @Observable final class ObservableTitle {
    var title = ""
}
