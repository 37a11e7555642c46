import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct BehaviorOrderTests {
    private let lines = Lines()

    @Test func `beforeSend is called outermost first and the other methods innermost first`()
        async throws
    {
        let behaviors = ["a", "b", "c"].map { name in
            ClosureBehavior(
                beforeSend: { lines.add("before \(name)") },
                afterSuccess: { _ in lines.add("success \(name)") },
                afterFailure: { _ in lines.add("failure \(name)") }
            )
        }
        let client = NetworkClient(behaviors: behaviors) { request in
            NetworkResponse(statusCode: request.httpMethod == "PUT" ? 204 : 404)
        }

        try await client.send(.put("state"))
        _ = await client.error(of: NetworkRequest<Void>.delete("state"))

        let expected = [
            "before a", "before b", "before c", "success c", "success b", "success a", "before a",
            "before b", "before c", "failure c", "failure b", "failure a",
        ]
        #expect(lines.all == expected)
    }

    @Test func `the request's own header field wins, then that of the outermost behavior`()
        async throws
    {
        let behavior = ClosureBehavior.stack([
            ClosureBehavior(additionalHeaders: { ["A": "outer", "B": "outer"] }),
            ClosureBehavior(additionalHeaders: { ["A": "inner", "B": "inner", "C": "inner"] }),
        ])

        _ = try await behavior.send(OutgoingRequest("GET", headers: ["A": "own"])) { sent in
            #expect(sent.allHTTPHeaderFields == ["A": "own", "B": "outer", "C": "inner"])
            return NetworkResponse()
        }
    }

    @Test func `an outer behavior can skip the inner ones`() async throws {
        let behavior = ClosureBehavior.stack([
            ClosureBehavior(intercept: { _, _ in NetworkResponse(statusCode: 203) }),
            ClosureBehavior(intercept: { _, _ in throw UnsupportedOperation("inner") }),
        ])

        let response = try await behavior.send { _ in throw UnsupportedOperation("network") }

        #expect(response.statusCode == 203)
    }

    @Test func `every call of next runs the inner behaviors again, also nested ones`() async throws
    {
        let twice = ClosureBehavior(intercept: { request, next in
            _ = try await next(request)
            return try await next(request)
        })
        let behavior = ClosureBehavior.stack([
            twice, ClosureBehavior.stack([logging("a"), logging("b")]), logging("c"),
        ])

        _ = try await behavior.send { _ in NetworkResponse() }

        #expect(lines.all == ["a", "b", "c", "a", "b", "c"])
    }

    private func logging(_ name: String) -> ClosureBehavior {
        ClosureBehavior(modify: { _ in lines.add(name) })
    }
}
