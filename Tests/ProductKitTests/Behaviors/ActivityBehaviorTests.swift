import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ActivityBehaviorTests {
    @Test func `it tells the begin of the first and the end of the last`() {
        let changes = Mutex<[Bool]>([])
        let activity = ActivityBehavior { isActive in changes.withLock { $0.append(isActive) } }

        activity.beforeSend()
        activity.beforeSend()
        activity.afterSuccess(result: 1)
        activity.beforeSend()
        activity.afterFailure(error: CancellationError())
        #expect(changes.withLock { $0 } == [true])
        activity.afterSuccess(result: 1)

        #expect(changes.withLock { $0 } == [true, false])
    }

    @Test func `it tells anew when activity begins anew`() {
        let changes = Mutex<[Bool]>([])
        let activity = ActivityBehavior { isActive in changes.withLock { $0.append(isActive) } }

        for _ in 0..<3 {
            activity.beforeSend()
            activity.afterSuccess(result: 1)
        }

        #expect(changes.withLock { $0 } == [true, false, true, false, true, false])
    }

    @Test func `a hundred sends at once are one activity`() async throws {
        let changes = Mutex<[Bool]>([])
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                arrive.yield()
                for await _ in gate {}
                return NetworkResponse()
            },
            behaviors: [ActivityBehavior { isActive in changes.withLock { $0.append(isActive) } }]
        )

        try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { _ = try await client.send(NetworkRequest<NetworkResponse>.get()) }
            }
            for await _ in arrivals.prefix(100) {}
            #expect(changes.withLock { $0 } == [true])
            opener.finish()
            try await group.waitForAll()
        }

        #expect(changes.withLock { $0 } == [true, false])
    }

    @Test func `changes alternate and are told one after another in any order of sends`() {
        let changes = Mutex<[Bool]>([])
        let listeners = Mutex(0)
        let overlaps = Mutex(0)
        let activity = ActivityBehavior { isActive in
            let others = listeners.withLock { count in
                defer { count += 1 }
                return count
            }
            if others > 0 { overlaps.withLock { $0 += 1 } }
            changes.withLock { $0.append(isActive) }
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

        #expect(overlaps.withLock { $0 } == 0)
        let seen = changes.withLock { $0 }
        #expect(seen.enumerated().allSatisfy { $1 == $0.isMultiple(of: 2) })
        #expect(seen.last == false)
    }

    @Test(arguments: [NetworkResponse(statusCode: 500), .webPage, NetworkResponse()])
    func `a failed send is over`(answer: NetworkResponse) async throws {
        let changes = Mutex<[Bool]>([])
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                #expect(changes.withLock { $0 } == [true])
                return answer
            },
            behaviors: [ActivityBehavior { isActive in changes.withLock { $0.append(isActive) } }]
        )

        await #expect(throws: NetworkError.self) { try await client.send(.boots) }

        #expect(changes.withLock { $0 } == [true, false])
    }

    @Test func `a send that cannot be built is over`() async throws {
        let changes = Mutex<[Bool]>([])
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in NetworkResponse() },
            behaviors: [ActivityBehavior { isActive in changes.withLock { $0.append(isActive) } }]
        )

        await #expect(throws: NetworkError.self) {
            try await client.send(NetworkRequest<Product>.get(".."))
        }

        #expect(changes.withLock { $0 } == [true, false])
    }

    @Test func `a cancelled send is over`() async throws {
        let changes = Mutex<[Bool]>([])
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure(completing: { _, _ in
                begin.yield()
                return {}
            }),
            behaviors: [ActivityBehavior { isActive in changes.withLock { $0.append(isActive) } }]
        )
        let task = Task { try await client.send(.boots) }
        _ = await begun.first { _ in true }

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(changes.withLock { $0 } == [true, false])
    }

    @Test func `clients that share a behaviour count together`() async throws {
        let changes = Mutex<[Bool]>([])
        let activity = ActivityBehavior { isActive in changes.withLock { $0.append(isActive) } }
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

        #expect(changes.withLock { $0 } == [true, false])
    }

    @Test func `a request passes unchanged`() async throws {
        let request = URLRequest(url: .api)

        let response = try await ActivityBehavior { _ in }
            .intercept(
                request,
                next: NetworkExchange { sent in
                    #expect(sent == request)
                    return NetworkResponse(statusCode: 204)
                }
            )

        #expect(response == NetworkResponse(statusCode: 204))
    }
}
