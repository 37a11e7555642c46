import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CancellableCompletionCancellationTests {
    @Test func `a cancelled wait ends at once although the work goes on`() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await withCancellableCompletion {
                (_: @escaping @Sendable (Result<Int, any Error>) -> Void) in
                start.yield()
                return {}
            }
        }
        _ = await started.first { _ in true }

        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `cancelled work is stopped once, however late it finishes`() async throws {
        let stops = Mutex(0)
        let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
        let (finishes, announce) = AsyncStream.makeStream(
            of: (@Sendable (Result<Int, any Error>) -> Void).self
        )
        let task = Task {
            try await withCancellableCompletion { finish in
                announce.yield(finish)
                return {
                    stops.withLock { $0 += 1 }
                    stop.yield()
                }
            }
        }
        let finish = try #require(await finishes.first { _ in true })

        task.cancel()
        _ = await stopped.first { _ in true }
        finish(.success(7))
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(stops.withLock { $0 } == 1)
    }

    @Test func `work is stopped outside of the cancellation`() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (stopped, stop) = AsyncStream.makeStream(of: Bool.self)
        let cancelling = Mutex<Thread?>(nil)
        let task = Task {
            try await withCancellableCompletion {
                (_: @escaping @Sendable (Result<Int, any Error>) -> Void) in
                start.yield()
                return {
                    // Locked while the cancellation runs: a stop inside of it cannot get in.
                    let isInside = cancelling.withLock { $0 == Thread.current }
                    stop.yield(isInside)
                }
            }
        }
        _ = await started.first { _ in true }

        cancel(task, onThreadIn: cancelling)

        #expect(await stopped.first { _ in true } == false)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `work whose caller is cancelled while it starts is stopped`() async throws {
        let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await withCancellableCompletion {
                (_: @escaping @Sendable (Result<Int, any Error>) -> Void) in
                withUnsafeCurrentTask { $0?.cancel() }
                return { stop.yield() }
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await stopped.first { _ in true } != nil)
    }

    @Test func `a cancelled wait ends once in every race with its finish`() async throws {
        for round in 0..<200 {
            let (finishes, announce) = AsyncStream.makeStream(
                of: (@Sendable (Result<Int, any Error>) -> Void).self
            )
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
