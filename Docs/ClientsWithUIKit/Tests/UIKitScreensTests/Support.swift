import Foundation
import ProductKit
import Synchronization

/// Counts the tasks that were cancelled while they waited.
final class Cancellations: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    /// Waits until the task is cancelled.
    func wait() async throws {
        try await withCancellableCompletion { (finish: @escaping Completion) in
            {
                self.number.withLock { $0 += 1 }
                finish(.failure(CancellationError()))
            }
        }
    }

    private typealias Completion = @Sendable (Result<Void, any Error>) -> Void
}

extension URL {
    static let api = URL(string: "https://api.example.com/v1") ?? URL(filePath: "/")
}

extension Product {
    static let boots = Product(id: "walking-boots", name: "Walking Boots")
    static let sandals = Product(id: "sandals", name: "Sandals")
    static let socks = Product(id: "socks", name: "Socks")
}

/// Waits until tasks have made a condition true.
///
/// A condition that stays false fails the expectation of its test, and not only its time limit.
///
/// - Returns: The condition; `false` after a minute.
@MainActor func eventually(_ condition: () -> Bool) async -> Bool {
    let start = ContinuousClock.now
    while !condition() {
        guard start.duration(to: .now) < .seconds(60) else { return false }
        await letOtherThreadsRun()
    }
    return true
}

/// Leaves the main actor, and returns to it.
@concurrent private func letOtherThreadsRun() async {
    await Task.yield()
}

/// Lets the tasks run that wait for the main actor.
@MainActor func runTasks() async {
    for _ in 0..<100 { await Task.yield() }
}
