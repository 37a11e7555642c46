import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
final class ActivityBehaviorTests: Sendable {
    private let reports = Mutex<[Bool]>([])
    private let gate = ActionGate<Void>()

    @Test func `it reports the start of the first request and the end of the last`() {
        let activity = activity()

        activity.beforeSend()
        activity.beforeSend()
        activity.afterSuccess(result: 1)
        activity.beforeSend()
        activity.afterFailure(error: CancellationError())
        #expect(changes == [true])
        activity.afterSuccess(result: 1)

        #expect(changes == [true, false])
    }

    @Test func `it reports each new period of activity`() {
        let activity = activity()

        for _ in 0..<3 {
            activity.beforeSend()
            activity.afterSuccess(result: 1)
        }

        #expect(changes == [true, false, true, false, true, false])
    }

    @Test func `a hundred concurrent requests are one period of activity`() async throws {
        let client = client { [gate] _ in
            try await gate.hold()
            return NetworkResponse()
        }

        try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { _ = try await client.send(NetworkRequest<NetworkResponse>.get()) }
            }
            await gate.waitForCalls(100)
            #expect(changes == [true])
            gate.open()
            try await group.waitForAll()
        }

        #expect(changes == [true, false])
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

    @Test(arguments: [NetworkResponse(statusCode: 500), .webPage, NetworkResponse()])
    func `a failed request ends the activity`(response: NetworkResponse) async throws {
        let client = client { [self] _ in
            #expect(changes == [true])
            return response
        }

        await #expect(throws: NetworkError.self) { try await client.send(.boots) }

        #expect(changes == [true, false])
    }

    @Test func `an invalid request ends the activity`() async throws {
        let client = client { _ in NetworkResponse() }

        await #expect(throws: NetworkError.self) {
            try await client.send(NetworkRequest<Product>.get(".."))
        }

        #expect(changes == [true, false])
    }

    @Test func `a cancelled request ends the activity`() async throws {
        let client = client { [gate] _ in
            try await gate.hold()
            return NetworkResponse()
        }
        let task = Task { try await client.send(.boots) }
        await gate.waitForCalls(1)

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
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
        await earlierTasks()

        #expect(shown.count > 1)
        #expect(shown.enumerated().allSatisfy { $1 == $0.isMultiple(of: 2) })
        #expect(shown.last == true)
    }

    @MainActor @Test func `the main actor is notified of a request of another thread`() async throws
    {
        var shown: [Bool] = []
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in NetworkResponse() },
            behaviors: [ActivityBehavior.onMainActor { shown.append($0) }]
        )

        _ = try await client.send(NetworkRequest<NetworkResponse>.get())
        await earlierTasks()

        #expect(shown == [true, false])
    }

    @Test func `clients with the same behavior share its counter`() async throws {
        let activity = activity()
        let inner = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in NetworkResponse() },
            behaviors: [activity]
        )
        let outer = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in try await inner.send(.get()) },
            behaviors: [activity]
        )

        _ = try await outer.send(NetworkRequest<NetworkResponse>.get())

        #expect(changes == [true, false])
    }

    @Test func `the request and the response are unchanged`() async throws {
        let response = try await activity().send(OutgoingRequest(url: .api)) { sent in
            #expect(sent == URLRequest(url: .api))
            return NetworkResponse(statusCode: 204)
        }

        #expect(response == NetworkResponse(statusCode: 204))
    }

    /// Waits for the tasks that the main actor has received before.
    @MainActor private func earlierTasks() async {
        await Task {}.value
    }

    /// The reported values in order.
    private var changes: [Bool] { reports.withLock(\.self) }

    private func activity() -> ActivityBehavior {
        ActivityBehavior { [self] isActive in reports.withLock { $0.append(isActive) } }
    }

    private func client(
        _ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> NetworkClient {
        NetworkClient(baseURL: .api, networking: .closure(respond), behaviors: [activity()])
    }
}
