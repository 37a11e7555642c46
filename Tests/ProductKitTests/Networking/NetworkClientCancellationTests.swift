import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkClientCancellationTests {
    private let sends = Counter()

    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test func `a cancelled task sends nothing`() async throws {
        let client = NetworkClient { _ in
            sends.next()
            return NetworkResponse()
        }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(NetworkRequest<NetworkResponse>.get())
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 0)
    }

    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test func `a second exchange of a cancelled task sends nothing`() async throws {
        let twice = ClosureBehavior(intercept: { request, next in
            _ = try await next(request)
            return try await next(request)
        })
        let client = NetworkClient(behaviors: [twice]) { _ in
            sends.next()
            withUnsafeCurrentTask { $0?.cancel() }
            return NetworkResponse(statusCode: 401)
        }
        let task = Task { try await client.send(NetworkRequest<NetworkResponse>.get()) }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sends.count == 1)
    }

    @Test(
        arguments: [
            (URLError(.cancelled), true, nil), (URLError(.cancelled), false, .connectionLost),
            (CancellationError(), false, nil), (URLError(.timedOut), true, .timedOut),
        ] as [(any Error, Bool, NetworkError.Code?)]
    )
    func `a cancellation is one if the task was cancelled, and other errors stay what they are`(
        error: any Error,
        isCancelled: Bool,
        code: NetworkError.Code?
    ) async throws {
        let client = NetworkClient { _ in
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            throw error
        }
        let task = Task { try await client.send(.boots) }

        let thrown = await #expect(throws: (any Error).self) { try await task.value }

        #expect((thrown as? NetworkError)?.code == code)
        #expect((thrown is CancellationError) == (code == nil))
    }

    @Test func `a response that arrived before the cancellation is returned`() async throws {
        let client = NetworkClient { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return try NetworkResponse(json: Product.boots)
        }
        let task = Task { try await client.send(NetworkRequest<Product>.boots) }

        #expect(try await task.value == .boots)
    }
}
