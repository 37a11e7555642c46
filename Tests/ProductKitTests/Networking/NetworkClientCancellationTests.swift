import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkClientCancellationTests {
    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test func `a cancelled task sends nothing`() async throws {
        let sends = Counter()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                sends.next()
                return NetworkResponse()
            }
        )
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(NetworkRequest<NetworkResponse>.get())
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 0)
    }

    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test func `a second exchange of a cancelled task sends nothing`() async throws {
        let sends = Counter()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                sends.next()
                withUnsafeCurrentTask { $0?.cancel() }
                return NetworkResponse(statusCode: 401)
            },
            behaviors: [
                ClosureBehavior(intercept: { request, next in
                    _ = try await next(request)
                    return try await next(request)
                })
            ]
        )
        let task = Task { try await client.send(NetworkRequest<NetworkResponse>.get()) }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 1)
    }

    @Test func `a cancelled system error in a cancelled task is a cancellation`() async throws {
        let client = client(throwing: URLError(.cancelled), cancelling: true)
        let task = Task { try await client.send(.boots) }

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a cancelled system error in another task is a lost connection`() async throws {
        let client = client(throwing: URLError(.cancelled))

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await client.send(.boots) }
        )

        #expect(error.code == .connectionLost)
    }

    @Test func `a cancellation error is thrown unchanged`() async throws {
        let client = client(throwing: CancellationError())

        await #expect(throws: CancellationError.self) { try await client.send(.boots) }
    }

    @Test func `other errors of a cancelled task are thrown unchanged`() async throws {
        let client = client(throwing: URLError(.timedOut), cancelling: true)
        let task = Task { try await client.send(.boots) }

        let error = try #require(
            await #expect(throws: NetworkError.self) { try await task.value }
        )

        #expect(error.code == .timedOut)
    }

    @Test func `a response that arrived before the cancellation is returned`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return try NetworkResponse(json: Product.boots)
            }
        )
        let task = Task { try await client.send(NetworkRequest<Product>.boots) }

        #expect(try await task.value == .boots)
    }

    @Test func `cancelling a send cancels a client with completion handlers`() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                try await withCancellableCompletion { _ in
                    begin.yield()
                    return stop.closure()
                }
            }
        )
        let task = Task { try await client.send(.boots) }
        _ = await begun.first { _ in true }

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await stops.count == 1)
    }

    private func client(throwing error: any Error, cancelling: Bool = false) -> NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                if cancelling { withUnsafeCurrentTask { $0?.cancel() } }
                throw error
            }
        )
    }
}
