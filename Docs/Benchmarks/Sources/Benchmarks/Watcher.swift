import Observation
import Synchronization

/// Watches what it reads, as a view does: told once, it must look again.
@MainActor final class Watcher {
    private let read: @MainActor () -> Void
    private let bell = Bell()
    private(set) var timesTold = 0

    init(_ read: @escaping @MainActor () -> Void) {
        self.read = read
        watch()
    }

    /// Looks again if it was told of a change.
    func watchAgain() {
        guard bell.told.exchange(false, ordering: .relaxed) else { return }
        timesTold += 1
        watch()
    }

    private func watch() {
        withObservationTracking(read) { [bell] in bell.told.store(true, ordering: .relaxed) }
    }
}

private final class Bell: Sendable {
    let told = Atomic(false)
}

/// The least that can be watched.
@MainActor @Observable final class Observed {
    var title = ""
}
