import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ClosureServiceTests {
    @Test func `the closure gets the input and its value comes back`() async throws {
        let service = ClosureService { (number: Int) in "\(number)" }

        #expect(try await service.get(7) == "7")
    }

    @Test func `what the closure throws is thrown unchanged`() async throws {
        let service = ClosureService<Int, String> { _ in throw UnsupportedOperation("get") }

        await #expect(throws: UnsupportedOperation("get")) { try await service.get(7) }
    }

    @Test func `a cancelled caller cancels the closure`() async throws {
        let service = ClosureService<Int, String> { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            try Task.checkCancellation()
            return ""
        }
        let task = Task { try await service.get(7) }

        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
