import Foundation
import ProductKit
import Synchronization

/// Loads that start together and are cancelled together.
struct MassCancellation {
    let baseURL: URL
    let networking: any Networking

    /// Measures the time from the cancellation to the end of the last load.
    ///
    /// - Parameter count: The number of loads.
    /// - Returns: The elapsed time in nanoseconds.
    /// - Throws: `CocoaError` if a load does not throw `CancellationError`.
    func measure(_ count: Int) async throws -> Double {
        let gate = CountingGate(count)
        let networking = networking
        let counting: any Networking = .closure { request in
            gate.count()
            return try await networking.response(for: request)
        }
        let loader = ProductLoader(baseURL: baseURL, networking: counting)
        let tasks = (0..<count).map { _ in Task { try await loader.loadBoots() } }
        await gate.wait()
        // Gives the session time to start the last requests too.
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        for task in tasks { task.cancel() }
        for task in tasks {
            guard case .failure(is CancellationError) = await task.result else {
                throw CocoaError(.coderReadCorrupt)
            }
        }
        return (ContinuousClock.now - start) / .nanoseconds(1)
    }
}

/// A gate that opens after a number of calls of ``count()``.
private final class CountingGate: Sendable {
    private struct State {
        var missing: Int
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(missing: count))
    }

    func count() {
        let waiter = state.withLock { state in
            state.missing -= 1
            return state.missing == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    func wait() async {
        await withCheckedContinuation { waiter in
            let isOpen = state.withLock { state in
                if state.missing > 0 { state.waiter = waiter }
                return state.missing <= 0
            }
            if isOpen { waiter.resume() }
        }
    }
}
