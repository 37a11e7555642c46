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
/// - Returns: The condition; `false` after other tasks could run 300,000 times.
@MainActor func eventually(_ condition: () -> Bool) async -> Bool {
    for attempt in 0..<300_000 {
        if condition() { return true }
        if attempt < 1_000 { await Task.yield() } else { await letOtherThreadsRun() }
    }
    return false
}

/// Leaves the main actor, and returns to it.
///
/// On a busy machine, a thread with work waits for a processor much longer than it takes to yield the
/// main actor some thousand times.
@concurrent private func letOtherThreadsRun() async {
    await Task.yield()
}

/// Lets the tasks run that wait for the main actor.
@MainActor func runTasks() async {
    for _ in 0..<100 { await Task.yield() }
}
