import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CancellableCompletionTests {
    private typealias Finish = @Sendable (Result<Int, any Error>) -> Void

    private let stops = AsyncStream.makeStream(of: Void.self)

    @Test func `the error passed to finish is thrown`() async throws {
        await #expect(throws: UnsupportedOperation("work")) {
            try await withCancellableCompletion { (finish: @escaping Finish) in
                finish(.failure(UnsupportedOperation("work")))
                return {}
            }
        }
    }

    @Test func `the first call of finish wins`() async throws {
        let value = try await withCancellableCompletion { finish in
            finish(.success("first"))
            finish(.success("second"))
            finish(.failure(UnsupportedOperation("third")))
            return {}
        }

        #expect(value == "first")
    }

    @Test func `of many concurrent calls of finish one wins`() async throws {
        let value = try await withCancellableCompletion { finish in
            DispatchQueue.concurrentPerform(iterations: 100) { finish(.success($0)) }
            return {}
        }

        #expect((0..<100).contains(value))
    }

    @Test func `an error of start is thrown`() async throws {
        await #expect(throws: UnsupportedOperation("start")) {
            try await withCancellableCompletion { (_: @escaping Finish) in
                throw UnsupportedOperation("start")
            }
        }
    }

    @Test func `a call of finish before start throws wins over the error`() async throws {
        let value = try await withCancellableCompletion { (finish: @escaping Finish) in
            finish(.success(7))
            throw UnsupportedOperation("start")
        }

        #expect(value == 7)
    }

    @Test func `work is not started in a cancelled task`() async throws {
        let starts = Counter()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await withCancellableCompletion { finish in
                starts.next()
                finish(.success(7))
                return {}
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(starts.count == 0)
    }

    @Test func `finished work is not stopped`() async throws {
        let (finishes, announce) = AsyncStream.makeStream(of: Finish.self)
        let task = Task {
            let value = try await withCancellableCompletion { finish in
                announce.yield(finish)
                return stops.continuation.closure()
            }
            withUnsafeCurrentTask { $0?.cancel() }
            return value
        }
        let finish = try #require(await finishes.first { _ in true })

        DispatchQueue.global().async { finish(.success(7)) }

        #expect(try await task.value == 7)
        #expect(await stops.stream.count == 0)
    }

    @Test func `work that finishes before start returns is not stopped`() async throws {
        let value = try await withCancellableCompletion { finish in
            finish(.success(7))
            return stops.continuation.closure()
        }

        #expect(value == 7)
        #expect(await stops.stream.count == 0)
    }

    @Test func `cancelled work is stopped once, even if it finishes later`() async throws {
        let (task, finish) = try await started { stops.continuation.closure() }

        task.cancel()
        finish(.success(7))
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await stops.stream.count == 1)
    }

    @Test func `work is stopped on another thread than the cancellation`() async throws {
        let cancelling = Mutex<Thread?>(nil)
        let wasInside = Mutex(false)
        let (task, _) = try await started {
            let recordStop = stops.continuation.closure()
            return {
                let isCancelling = cancelling.withLock { $0 == Thread.current }
                wasInside.withLock { $0 = isCancelling }
                recordStop()
            }
        }

        cancel(task, onThreadIn: cancelling)

        #expect(await stops.stream.count == 1)
        #expect(wasInside.withLock { $0 } == false)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `work is stopped when its caller is cancelled during start`() async throws {
        let task = Task {
            try await withCancellableCompletion { (_: @escaping Finish) in
                withUnsafeCurrentTask { $0?.cancel() }
                return stops.continuation.closure()
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await stops.stream.count == 1)
    }

    @Test func `a wait ends once when cancel and finish race`() async throws {
        for round in 0..<200 {
            let (task, finish) = try await started()

            DispatchQueue.concurrentPerform(iterations: 2) { index in
                if index == round % 2 { task.cancel() } else { finish(.success(round)) }
            }

            switch await task.result {
            case .success(let value): #expect(value == round)
            case .failure(let error): #expect(error is CancellationError)
            }
        }
    }

    /// Starts work that does not end by itself, and returns its task and what finishes it.
    private func started(
        stop: @escaping @Sendable () -> @Sendable () -> Void = { {} }
    ) async throws -> (Task<Int, any Error>, Finish) {
        let (finishes, announce) = AsyncStream.makeStream(of: Finish.self)
        let task = Task<Int, any Error> {
            try await withCancellableCompletion { (finish: @escaping Finish) in
                announce.yield(finish)
                return stop()
            }
        }
        return (task, try #require(await finishes.first { _ in true }))
    }

    private func cancel(_ task: Task<Int, any Error>, onThreadIn thread: borrowing Mutex<Thread?>) {
        thread.withLock { $0 = Thread.current }
        task.cancel()
        thread.withLock { $0 = nil }
    }
}
