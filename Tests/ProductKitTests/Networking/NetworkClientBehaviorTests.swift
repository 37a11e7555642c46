import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkClientBehaviorTests {
    @Test func `behaviors process requests in order and responses in reverse`() async throws {
        let lines = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                lines.add("network")
                return NetworkResponse()
            },
            behaviors: [logging("c", to: lines), logging("d", to: lines)]
        )

        _ = try await client.send(
            NetworkRequest<NetworkResponse>.get(),
            behaviors: [logging("a", to: lines), logging("b", to: lines)]
        )

        let names = ["a", "b", "c", "d"]
        let expected =
            names.map { "before \($0)" } + names.map { "out \($0)" } + ["network"]
            + names.reversed().map { "back \($0)" } + names.reversed().map { "success \($0)" }
        #expect(lines.all == expected)
    }

    @Test func `afterFailure is called in reverse order after all exchanges`() async throws {
        let lines = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in NetworkResponse(statusCode: 500) },
            behaviors: [logging("b", to: lines)]
        )

        await #expect(throws: NetworkError.self) {
            try await client.send(.boots, behaviors: [logging("a", to: lines)])
        }

        let expected = [
            "before a", "before b", "out a", "out b", "back b", "back a", "NetworkError b",
            "NetworkError a",
        ]
        #expect(lines.all == expected)
    }

    @Test func `the behaviors of one send do not apply to others`() async throws {
        let lines = Lines()
        let client = NetworkClient(baseURL: .api, networking: .closure { _ in NetworkResponse() })
        let request = NetworkRequest<NetworkResponse>.get()

        _ = try await client.send(request, behaviors: [logging("a", to: lines)])
        _ = try await client.send(request)

        #expect(lines.all == ["before a", "out a", "back a", "success a"])
    }

    @Test func `each method is called once if the status code is not a success`() async throws {
        let lines = try await linesOfFailure(
            .boots,
            networking: .closure { _ in NetworkResponse(statusCode: 404) }
        )

        #expect(lines == ["before a", "out a", "back a", "NetworkError a"])
    }

    @Test(arguments: [.webPage, NetworkResponse(), .json("{}")])
    func `each method is called once if the response cannot be decoded`(
        response: NetworkResponse
    ) async throws {
        let lines = try await linesOfFailure(.boots, networking: .closure { _ in response })

        #expect(lines == ["before a", "out a", "back a", "NetworkError a"])
    }

    @Test func `each method is called once if there is no response`() async throws {
        let lines = try await linesOfFailure(
            .boots,
            networking: .closure { _ in throw URLError(.timedOut) }
        )

        #expect(lines == ["before a", "out a", "back a", "NetworkError a"])
    }

    @Test func `each method except intercept is called once if the request is not valid`()
        async throws
    {
        let lines = try await linesOfFailure(
            .get("products", ".."),
            networking: .closure { _ in throw UnsupportedOperation("network") }
        )

        #expect(lines == ["before a", "NetworkError a"])
    }

    @Test func `each method is called once if the send is cancelled`() async throws {
        let lines = try await linesOfFailure(
            .boots,
            networking: .closure { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                throw URLError(.cancelled)
            }
        )

        #expect(lines == ["before a", "out a", "back a", "CancellationError a"])
    }

    @Test func `each method is called once if a behavior throws`() async throws {
        let lines = try await linesOfFailure(
            .boots,
            networking: .closure { _ in NetworkResponse() },
            inner: ClosureBehavior(intercept: { _, _ in throw UnsupportedOperation("give up") })
        )

        #expect(lines == ["before a", "out a", "back a", "UnsupportedOperation a"])
    }

    @Test func `afterSuccess receives the output of the caller`() async throws {
        let results = Mutex<[any Sendable]>([])
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in try NetworkResponse(json: Product.boots) }
        )

        let product = try await client.send(
            NetworkRequest<Product>.boots,
            behaviors: [
                ClosureBehavior(afterSuccess: { result in results.withLock { $0.append(result) } })
            ]
        )

        #expect(results.withLock { $0 } as? [Product] == [product])
    }

    @Test func `afterFailure receives the error of the caller`() async throws {
        let errors = Mutex<[any Error]>([])
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in NetworkResponse(statusCode: 402) },
            failure: { _ in ProductError.notFound("boots") }
        )

        await #expect(throws: ProductError.notFound("boots")) {
            try await client.send(
                .boots,
                behaviors: [
                    ClosureBehavior(afterFailure: { error in errors.withLock { $0.append(error) } })
                ]
            )
        }

        #expect(errors.withLock { $0 } as? [ProductError] == [.notFound("boots")])
    }

    @Test func `the response of a behavior is decoded like that of the network`() async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in throw UnsupportedOperation("network") }
        )
        let canned = ClosureBehavior(intercept: { _, _ in try NetworkResponse(json: Product.boots) }
        )

        #expect(try await client.send(NetworkRequest<Product>.boots, behaviors: [canned]) == .boots)
    }

    @Test func `a behavior can send a request several times`() async throws {
        let sends = Counter()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                NetworkResponse(statusCode: sends.next() < 3 ? 503 : 204)
            }
        )
        let again = ClosureBehavior(intercept: { request, next in
            _ = try await next(request)
            _ = try await next(request)
            return try await next(request)
        })

        try await client.send(NetworkRequest<Void>.put("a"), behaviors: [again])

        #expect(sends.count == 3)
    }

    /// The calls of one behavior during a send that fails.
    private func linesOfFailure(
        _ request: NetworkRequest<Product>,
        networking: ClosureNetworking,
        inner: ClosureBehavior = ClosureBehavior()
    ) async throws -> [String] {
        let lines = Lines()
        let client = NetworkClient(baseURL: .api, networking: networking, behaviors: [inner])
        let task = Task { try await client.send(request, behaviors: [logging("a", to: lines)]) }
        await #expect(throws: (any Error).self) { try await task.value }
        return lines.all
    }

    private func logging(_ name: String, to lines: Lines) -> ClosureBehavior {
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
