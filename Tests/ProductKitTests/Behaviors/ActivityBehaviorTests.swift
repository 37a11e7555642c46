import Foundation
import ProductKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
final class ActivityBehaviorTests: Sendable {
    private let told = Mutex<[Bool]>([])
    private let gate = Gate()

    @Test func `it tells the beginning of the first and the end of the last`() {
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

    @Test func `it tells anew when activity begins anew`() {
        let activity = activity()

        for _ in 0..<3 {
            activity.beforeSend()
            activity.afterSuccess(result: 1)
        }

        #expect(changes == [true, false, true, false, true, false])
    }

    @Test func `a hundred sends at once are one activity`() async throws {
        let client = client { [gate] _ in
            try await gate.pass()
            return NetworkResponse()
        }

        try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { _ = try await client.send(NetworkRequest<NetworkResponse>.get()) }
            }
            await gate.arrival(of: 100)
            #expect(changes == [true])
            gate.open()
            try await group.waitForAll()
        }

        #expect(changes == [true, false])
    }

    @Test func `changes alternate and are told one after another in any order of sends`() {
        let listeners = Mutex(0)
        let overlaps = Counter()
        let activity = ActivityBehavior { [self] isActive in
            let others = listeners.withLock { count in
                defer { count += 1 }
                return count
            }
            if others > 0 { overlaps.next() }
            told.withLock { $0.append(isActive) }
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
    func `a failed send is over`(answer: NetworkResponse) async throws {
        let client = client { [self] _ in
            #expect(changes == [true])
            return answer
        }

        await #expect(throws: NetworkError.self) { try await client.send(.boots) }

        #expect(changes == [true, false])
    }

    @Test func `a send that cannot be built is over`() async throws {
        let client = client { _ in NetworkResponse() }

        await #expect(throws: NetworkError.self) {
            try await client.send(NetworkRequest<Product>.get(".."))
        }

        #expect(changes == [true, false])
    }

    @Test func `a cancelled send is over`() async throws {
        let client = client { [gate] _ in
            try await gate.pass()
            return NetworkResponse()
        }
        let task = Task { try await client.send(.boots) }
        await gate.arrival()

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(changes == [true, false])
    }

    @Test func `clients that share a behavior count together`() async throws {
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

    @Test func `a request passes unchanged`() async throws {
        let request = URLRequest(url: .api)

        let response = try await activity().send(request) { sent in
            #expect(sent == request)
            return NetworkResponse(statusCode: 204)
        }

        #expect(response == NetworkResponse(statusCode: 204))
    }

    /// What was told, in order.
    private var changes: [Bool] { told.withLock(\.self) }

    private func activity() -> ActivityBehavior {
        ActivityBehavior { [self] isActive in told.withLock { $0.append(isActive) } }
    }

    private func client(
        _ respond: @escaping @Sendable (URLRequest) async throws -> NetworkResponse
    ) -> NetworkClient {
        NetworkClient(baseURL: .api, networking: .closure(respond), behaviors: [activity()])
    }
}
