import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkClientBehaviorTests {
    /// A send that fails, and the calls of its behavior.
    struct Failure {
        var request = NetworkRequest<Product>.boots
        var outcome: Result<NetworkResponse, any Error> = .success(NetworkResponse())
        var isCancelled = false
        var inner = ClosureBehavior()
        var lines = ["before a", "out a", "back a", "NetworkError a"]
    }

    private let lines = Lines()

    @Test func `behaviors process requests in order and responses in reverse`() async throws {
        let client = NetworkClient(behaviors: [logging("c"), logging("d")]) { _ in
            lines.add("network")
            return NetworkResponse()
        }

        _ = try await client.send(
            NetworkRequest<NetworkResponse>.get(),
            behaviors: [logging("a"), logging("b")]
        )

        let names = ["a", "b", "c", "d"]
        let expected =
            names.map { "before \($0)" } + names.map { "out \($0)" } + ["network"]
            + names.reversed().map { "back \($0)" } + names.reversed().map { "success \($0)" }
        #expect(lines.all == expected)
    }

    @Test func `afterFailure is called in reverse order after all exchanges`() async throws {
        let client = NetworkClient(behaviors: [logging("b")]) { _ in .init(statusCode: 500) }

        await #expect(throws: NetworkError.self) {
            try await client.send(.boots, behaviors: [logging("a")])
        }

        let expected = [
            "before a", "before b", "out a", "out b", "back b", "back a", "NetworkError b",
            "NetworkError a",
        ]
        #expect(lines.all == expected)
    }

    @Test(arguments: [
        Failure(outcome: .success(NetworkResponse(statusCode: 404))),
        Failure(outcome: .success(.webPage)), Failure(outcome: .success(.json("{}"))),
        Failure(outcome: .success(NetworkResponse())),
        Failure(outcome: .failure(URLError(.timedOut))),
        Failure(request: .get("products", ".."), lines: ["before a", "NetworkError a"]),
        Failure(
            outcome: .failure(URLError(.cancelled)),
            isCancelled: true,
            lines: ["before a", "out a", "back a", "CancellationError a"]
        ),
        Failure(
            inner: ClosureBehavior(intercept: { _, _ in throw UnsupportedOperation("give up") }),
            lines: ["before a", "out a", "back a", "UnsupportedOperation a"]
        ),
    ])
    func `each method is called once, but not intercept for an invalid request`(
        failure: Failure
    ) async throws {
        let client = NetworkClient(behaviors: [failure.inner]) { _ in
            if failure.isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            return try failure.outcome.get()
        }
        let task = Task { try await client.send(failure.request, behaviors: [logging("a")]) }

        await #expect(throws: (any Error).self) { try await task.value }

        #expect(lines.all == failure.lines)
    }

    @Test func `afterSuccess receives the output of the caller`() async throws {
        let results = Mutex<[any Sendable]>([])
        let storing = ClosureBehavior(afterSuccess: { result in
            results.withLock { $0.append(result) }
        })

        let product = try await NetworkClient { _ in try NetworkResponse(json: Product.boots) }
            .send(NetworkRequest<Product>.boots, behaviors: [storing])

        #expect(results.withLock { $0 } as? [Product] == [product])
    }

    private func logging(_ name: String) -> ClosureBehavior {
        ClosureBehavior(
            beforeSend: { lines.add("before \(name)") },
            afterSuccess: { _ in lines.add("success \(name)") },
            afterFailure: { error in lines.add("\(type(of: error)) \(name)") },
            intercept: { request, next in
                lines.add("out \(name)")
                defer { lines.add("back \(name)") }
                return try await next(request)
            }
        )
    }
}
