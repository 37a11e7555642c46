import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CancellableCompletionCancellationTests {
    private typealias Finish = @Sendable (Result<Int, any Error>) -> Void

    @Test func `a cancelled wait ends immediately although the work continues`() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await withCancellableCompletion { (_: @escaping Finish) in
                start.yield()
                return {}
            }
        }
        _ = await started.first { _ in true }

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `cancelled work is stopped once, even if it finishes later`() async throws {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let (finishes, announce) = AsyncStream.makeStream(of: Finish.self)
        let task = Task {
            try await withCancellableCompletion { finish in
                announce.yield(finish)
                return stop.closure()
            }
        }
        let finish = try #require(await finishes.first { _ in true })

        task.cancel()
        finish(.success(7))
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await stops.count == 1)
    }

    @Test func `work is stopped on another thread than the cancellation`() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let cancelling = Mutex<Thread?>(nil)
        let wasInside = Mutex(false)
        let task = Task {
            try await withCancellableCompletion { (_: @escaping Finish) in
                start.yield()
                let recordStop = stop.closure()
                return {
                    let isCancelling = cancelling.withLock { $0 == Thread.current }
                    wasInside.withLock { $0 = isCancelling }
                    recordStop()
                }
            }
        }
        _ = await started.first { _ in true }

        cancel(task, onThreadIn: cancelling)

        #expect(await stops.count == 1)
        #expect(wasInside.withLock { $0 } == false)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `work is stopped when its caller is cancelled during start`() async throws {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await withCancellableCompletion { (_: @escaping Finish) in
                withUnsafeCurrentTask { $0?.cancel() }
                return stop.closure()
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await stops.count == 1)
    }

    @Test func `a wait ends once when cancel and finish race`() async throws {
        for round in 0..<200 {
            let (finishes, announce) = AsyncStream.makeStream(of: Finish.self)
            let task = Task {
                try await withCancellableCompletion { finish in
                    announce.yield(finish)
                    return {}
                }
            }
            let finish = try #require(await finishes.first { _ in true })

            DispatchQueue.concurrentPerform(iterations: 2) { index in
                if index == round % 2 { task.cancel() } else { finish(.success(round)) }
            }

            switch await task.result {
            case .success(let value): #expect(value == round)
            case .failure(let error): #expect(error is CancellationError)
            }
        }
    }

    private func cancel(_ task: Task<Int, any Error>, onThreadIn thread: borrowing Mutex<Thread?>) {
        thread.withLock { $0 = Thread.current }
        task.cancel()
        thread.withLock { $0 = nil }
    }
}
