import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CombinedBehaviorTests {
    private let lines = Lines()

    @Test func `beforeSend is called outermost first and the other methods innermost first`() {
        let behavior = CombinedBehavior(
            ["a", "b", "c"].map { name in
                ClosureBehavior(
                    beforeSend: { lines.add("before \(name)") },
                    afterSuccess: { _ in lines.add("success \(name)") },
                    afterFailure: { _ in lines.add("failure \(name)") }
                )
            }
        )

        behavior.beforeSend()
        behavior.afterSuccess(result: 1)
        behavior.afterFailure(error: CancellationError())

        let expected = [
            "before a", "before b", "before c", "success c", "success b", "success a", "failure c",
            "failure b", "failure a",
        ]
        #expect(lines.all == expected)
    }

    @Test func `the request's own header field wins, then that of the outermost behavior`()
        async throws
    {
        let behavior = CombinedBehavior([
            ClosureBehavior(additionalHeaders: { ["A": "outer", "B": "outer"] }),
            ClosureBehavior(additionalHeaders: { ["A": "inner", "B": "inner", "C": "inner"] }),
        ])

        _ = try await behavior.send(OutgoingRequest("GET", headers: ["A": "own"])) { sent in
            #expect(sent.allHTTPHeaderFields == ["A": "own", "B": "outer", "C": "inner"])
            return NetworkResponse()
        }
    }

    @Test func `the header fields of all behaviors are reported, and modified like a request`() {
        let outer = ClosureBehavior(
            additionalHeaders: { ["A": "outer", "b": "outer"] },
            modify: { $0.method = "PUT" }
        )
        let inner = ClosureBehavior(
            additionalHeaders: { ["B": "inner", "C": "inner"] },
            modify: { $0.method += "T" }
        )
        let behavior = CombinedBehavior([outer, CombinedBehavior([inner])])
        var request = OutgoingRequest(url: .api)

        behavior.modify(&request)

        #expect(behavior.additionalHeaders == ["A": "outer", "B": "outer", "C": "inner"])
        #expect(CombinedBehavior([]).additionalHeaders == [:])
        #expect(request.method == "PUTT")
    }

    @Test func `an outer behavior can skip the inner ones`() async throws {
        let behavior = CombinedBehavior([
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
        let behavior = CombinedBehavior([
            twice, CombinedBehavior([logging("a"), logging("b")]), CombinedBehavior([]),
            logging("c"),
        ])

        _ = try await behavior.send { _ in NetworkResponse() }

        #expect(lines.all == ["a", "b", "c", "a", "b", "c"])
    }

    private func logging(_ name: String) -> ClosureBehavior {
        ClosureBehavior(modify: { _ in lines.add(name) })
    }
}
