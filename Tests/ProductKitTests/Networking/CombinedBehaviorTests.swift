import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CombinedBehaviorTests {
    @Test func `no behaviors change nothing`() async throws {
        let request = try OutgoingRequest.query("boots", as: "search")
        let unchanged = try request.urlRequest()
        let behavior = CombinedBehavior([])

        behavior.beforeSend()
        behavior.afterSuccess(result: 1)
        behavior.afterFailure(error: CancellationError())
        let response = try await behavior.intercept(
            request,
            next: NetworkExchange { sent in
                let urlRequest = try sent.urlRequest()
                #expect(urlRequest == unchanged && sent.readName == "search")
                return NetworkResponse(statusCode: 204)
            }
        )

        #expect(response == NetworkResponse(statusCode: 204))
    }

    @Test func `beforeSend is called outermost first and the other methods innermost first`() {
        let lines = Lines()
        let behaviors = ["a", "b", "c"].map { name in
            ClosureBehavior(
                beforeSend: { lines.add("before \(name)") },
                afterSuccess: { _ in lines.add("success \(name)") },
                afterFailure: { _ in lines.add("failure \(name)") }
            )
        }
        let behavior = CombinedBehavior(behaviors)

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
        var request = OutgoingRequest(url: .api)
        request.headers["A"] = "own"
        let behavior = CombinedBehavior([
            ClosureBehavior(additionalHeaders: { ["A": "outer", "B": "outer"] }),
            ClosureBehavior(additionalHeaders: { ["A": "inner", "B": "inner", "C": "inner"] }),
        ])

        _ = try await behavior.intercept(
            request,
            next: NetworkExchange { sent in
                #expect(sent.headers == ["A": "own", "B": "outer", "C": "inner"])
                return NetworkResponse()
            }
        )
    }

    @Test func `the header fields of all behaviors are reported, and modified like a request`() {
        let behavior = CombinedBehavior([
            ClosureBehavior(
                additionalHeaders: { ["A": "outer", "b": "outer"] },
                modify: { $0.method = "PUT" }
            ),
            CombinedBehavior([
                ClosureBehavior(
                    additionalHeaders: { ["B": "inner", "C": "inner"] },
                    modify: { $0.method += "T" }
                )
            ]),
        ])
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

        let response = try await behavior.intercept(
            OutgoingRequest(url: .api),
            next: NetworkExchange { _ in throw UnsupportedOperation("network") }
        )

        #expect(response.statusCode == 203)
    }

    @Test func `every call of next runs the inner behaviors again`() async throws {
        let count = Counter()
        let behavior = CombinedBehavior([
            ClosureBehavior(intercept: { request, next in
                _ = try await next(request)
                return try await next(request)
            }),
            ClosureBehavior(modify: { _ in count.next() }),
        ])

        _ = try await behavior.intercept(
            OutgoingRequest(url: .api),
            next: NetworkExchange { _ in NetworkResponse() }
        )

        #expect(count.count == 2)
    }

    @Test func `combined behaviors can be nested`() async throws {
        let lines = Lines()
        let behaviors = ["a", "b", "c"].map { name in
            ClosureBehavior(modify: { _ in lines.add(name) })
        }
        let behavior = CombinedBehavior([
            CombinedBehavior([behaviors[0], behaviors[1]]), CombinedBehavior([]), behaviors[2],
        ])

        _ = try await behavior.intercept(
            OutgoingRequest(url: .api),
            next: NetworkExchange { _ in NetworkResponse() }
        )

        #expect(lines.all == ["a", "b", "c"])
    }
}
