import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CancellableCompletionTests {
    private typealias Finish = @Sendable (Result<Int, any Error>) -> Void

    @Test func `the value passed to finish is returned`() async throws {
        let value = try await withCancellableCompletion { finish in
            finish(.success(7))
            return {}
        }

        #expect(value == 7)
    }

    @Test func `finish may be called later and on another thread`() async throws {
        let (finishes, announce) = AsyncStream.makeStream(of: Finish.self)
        let task = Task {
            try await withCancellableCompletion { finish in
                announce.yield(finish)
                return {}
            }
        }
        let finish = try #require(await finishes.first { _ in true })

        DispatchQueue.global().async { finish(.success(7)) }

        #expect(try await task.value == 7)
    }

    @Test func `the error passed to finish is thrown`() async throws {
        await #expect(throws: UnsupportedOperation("work")) {
            try await withCancellableCompletion { finish in
                finish(Result<Int, any Error>.failure(UnsupportedOperation("work")))
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
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let (finishes, announce) = AsyncStream.makeStream(of: Finish.self)
        let task = Task {
            let value = try await withCancellableCompletion { finish in
                announce.yield(finish)
                return stop.closure()
            }
            withUnsafeCurrentTask { $0?.cancel() }
            return value
        }
        let finish = try #require(await finishes.first { _ in true })

        finish(.success(7))

        #expect(try await task.value == 7)
        #expect(await stops.count == 0)
    }

    @Test func `work that finishes before start returns is not stopped`() async throws {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)

        let value = try await withCancellableCompletion { finish in
            finish(.success(7))
            return stop.closure()
        }

        #expect(value == 7)
        #expect(await stops.count == 0)
    }
}
