import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct JSONElementsCancellationTests {
    @Test func `a task cancelled while it waits for a piece throws a cancellation error`()
        async throws
    {
        let asked = Gate()
        let pieces = AsyncThrowingStream {
            try await asked.pass()
            return Data("[1".utf8)
        }
        let task = Task {
            try await JSONOutcome(of: JSONElements<Int>(pieces: pieces))
        }
        await asked.arrival()

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `what a source throws because its task was cancelled is a cancellation`()
        async throws
    {
        let pieces = AsyncThrowingStream<Data, any Error> {
            withUnsafeCurrentTask { $0?.cancel() }
            throw URLError(.cancelled)
        }
        let task = Task {
            try await JSONOutcome(of: JSONElements<Int>(pieces: pieces))
        }

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a stream that a cancelled task finds ended is no text that ends early`()
        async throws
    {
        let pieces = AsyncStream<Data> {
            withUnsafeCurrentTask { $0?.cancel() }
            return nil
        }
        let task = Task {
            try await JSONOutcome(of: JSONElements<Int>(pieces: pieces))
        }

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // Rule: json/elements-before-error-are-returned (10)
    @Test func `a source that is cancelled by itself loses no element`() async throws {
        let source = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("[1,2,3,".utf8))
            continuation.finish(throwing: CancellationError())
        }
        var batches = JSONElements<Int>(pieces: source).makeAsyncIterator()

        #expect(try await batches.next()?.elements == [1, 2, 3])
        await #expect(throws: CancellationError.self) { try await batches.next() }
    }
}
