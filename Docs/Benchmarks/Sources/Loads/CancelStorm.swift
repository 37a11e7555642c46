import Foundation
import ProductKit
import Synchronization

/// Loads that are begun together and cancelled together.
struct CancelStorm {
    let baseURL: URL
    let networking: any Networking

    /// Nanoseconds from the cancellation to the end of the last load.
    ///
    /// - Parameter count: How many loads.
    /// - Returns: The time on the wall.
    /// - Throws: `CocoaError` when one brought something.
    func settle(_ count: Int) async throws -> Double {
        let begun = Gate(count)
        let networking = networking
        let counting: any Networking = .closure { request in
            begun.count()
            return try await networking.response(for: request)
        }
        let loader = ProductLoader(baseURL: baseURL, networking: counting)
        let tasks = (0..<count).map { _ in Task { try await loader.loadsBoots() } }
        await begun.wait()
        // Until the session has got the last of them, too.
        try await Task.sleep(for: .milliseconds(100))
        let begin = ContinuousClock.now
        for task in tasks { task.cancel() }
        for task in tasks {
            guard case .failure(is CancellationError) = await task.result else {
                throw CocoaError(.coderReadCorrupt)
            }
        }
        return (ContinuousClock.now - begin) / .nanoseconds(1)
    }
}

/// Opens when so many have come.
private final class Gate: Sendable {
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
