import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
final class ActivityBehaviorTests: Sendable {
    private let reports = Mutex<[Bool]>([])

    @Test func `each period of activity lasts from the first request to the end of the last`() {
        let activity = activity()

        for _ in 0..<2 {
            activity.beforeSend()
            activity.beforeSend()
            activity.afterSuccess(result: 1)
            activity.beforeSend()
            activity.afterFailure(error: CancellationError())
            #expect(changes.last == true)
            activity.afterSuccess(result: 1)
        }

        #expect(changes == [true, false, true, false])
    }

    @Test func `reports alternate and never overlap, in any order of requests`() {
        let listeners = Mutex(0)
        let overlaps = Counter()
        let activity = ActivityBehavior { [self] isActive in
            let others = listeners.withLock { count in
                defer { count += 1 }
                return count
            }
            if others > 0 { overlaps.next() }
            reports.withLock { $0.append(isActive) }
            listeners.withLock { $0 -= 1 }
        }

        DispatchQueue.concurrentPerform(iterations: 50_000) { index in
            activity.beforeSend()
            if index.isMultiple(of: 2) {
                activity.afterSuccess(result: index)
            } else {
                activity.afterFailure(error: CancellationError())
            }
        }

        #expect(overlaps.count == 0)
        #expect(changes.enumerated().allSatisfy { $1 == $0.isMultiple(of: 2) })
        #expect(changes.last == false)
    }

    @Test func `a failed request ends the activity`() async throws {
        let client = NetworkClient(behaviors: [activity()]) { [self] _ in
            #expect(changes == [true])
            return NetworkResponse(statusCode: 500)
        }

        await #expect(throws: NetworkError.self) { try await client.send(.boots) }

        #expect(changes == [true, false])
    }

    @MainActor @Test func `changes come to the main actor in order, also if it was busy`() async {
        var shown: [Bool] = []
        let activity = ActivityBehavior.onMainActor { shown.append($0) }

        DispatchQueue.concurrentPerform(iterations: 10_000) { index in
            activity.beforeSend()
            activity.afterSuccess(result: index)
        }
        activity.beforeSend()
        #expect(shown.isEmpty)
        // The main actor has received the changes before this task.
        await Task {}.value

        #expect(shown.count > 1)
        #expect(shown.enumerated().allSatisfy { $1 == $0.isMultiple(of: 2) })
        #expect(shown.last == true)
    }

    @Test func `clients with the same behavior share its counter`() async throws {
        let activity = activity()
        let inner = NetworkClient(behaviors: [activity]) { _ in NetworkResponse() }
        let outer = NetworkClient(behaviors: [activity]) { _ in try await inner.send(.get()) }

        _ = try await outer.send(NetworkRequest<NetworkResponse>.get())

        #expect(changes == [true, false])
    }

    /// The reported values in order.
    private var changes: [Bool] { reports.withLock(\.self) }

    private func activity() -> ActivityBehavior {
        ActivityBehavior { [self] isActive in reports.withLock { $0.append(isActive) } }
    }
}
