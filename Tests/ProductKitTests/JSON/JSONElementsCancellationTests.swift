import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct JSONElementsCancellationTests {
    @Test func `a task that is cancelled while it waits for a chunk throws a cancellation error`()
        async throws
    {
        let requested = ActionGate<Void>()
        let chunks = AsyncThrowingStream {
            try await requested.hold()
            return Data("[1".utf8)
        }
        let task = Task {
            try await JSONOutcome(of: JSONElements<Int>(chunks: chunks))
        }
        await requested.waitForCalls(1)

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `an error of the chunks in a cancelled task becomes a cancellation error`()
        async throws
    {
        let chunks = AsyncThrowingStream<Data, any Error> {
            withUnsafeCurrentTask { $0?.cancel() }
            throw URLError(.cancelled)
        }
        let task = Task {
            try await JSONOutcome(of: JSONElements<Int>(chunks: chunks))
        }

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a stream that ends in a cancelled task is not an incomplete text`()
        async throws
    {
        let chunks = AsyncStream<Data> {
            withUnsafeCurrentTask { $0?.cancel() }
            return nil
        }
        let task = Task {
            try await JSONOutcome(of: JSONElements<Int>(chunks: chunks))
        }

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // Rule: json/elements-before-error-are-returned (10)
    @Test func `the elements before a cancellation error of the chunks are returned`() async throws
    {
        let source = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("[1,2,3,".utf8))
            continuation.finish(throwing: CancellationError())
        }
        var batches = JSONElements<Int>(chunks: source).makeAsyncIterator()

        #expect(try await batches.next()?.elements == [1, 2, 3])
        await #expect(throws: CancellationError.self) { try await batches.next() }
    }
}
