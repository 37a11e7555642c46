import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ClosureBehaviorTests {
    @Test func `a behavior without closures changes nothing`() async throws {
        let behavior = ClosureBehavior()
        let request = try OutgoingRequest.query("boots", as: "search")
        let unchanged = try request.urlRequest()

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

    @Test func `header fields are computed for every exchange, unless the request has them`()
        async throws
    {
        let count = Counter()
        let request = OutgoingRequest("GET", headers: ["x-language": "de"])
        let behavior = ClosureBehavior(additionalHeaders: {
            ["X-Language": "en", "X-Count": "\(count.next())"]
        })

        for number in ["1", "2"] {
            _ = try await behavior.send(request) { sent in
                #expect(sent.allHTTPHeaderFields == ["x-language": "de", "X-Count": number])
                return NetworkResponse()
            }
        }
    }

    @Test func `a request is modified after header fields were added, then intercepted`()
        async throws
    {
        let behavior = ClosureBehavior(
            additionalHeaders: { ["A": "1"] },
            modify: { $0.headers["A"] = ($0.headers["A"] ?? "none") + "-beta" },
            intercept: { request, next in
                #expect(request.headers == ["A": "1-beta"])
                var response = try await next(request)
                response.statusCode = 299
                return response
            }
        )

        let response = try await behavior.send { sent in
            NetworkResponse(headers: ["Sent": sent.value(forHTTPHeaderField: "A") ?? "none"])
        }

        #expect(response == NetworkResponse(statusCode: 299, headers: ["Sent": "1-beta"]))
    }

    @Test func `closures are called with the output and the error`() {
        let lines = Lines()
        let behavior = ClosureBehavior(
            beforeSend: { lines.add("before") },
            afterSuccess: { result in lines.add("\(result)") },
            afterFailure: { error in lines.add("\(type(of: error))") }
        )

        behavior.beforeSend()
        behavior.afterSuccess(result: 7)
        behavior.afterFailure(error: CancellationError())

        #expect(lines.all == ["before", "7", "CancellationError"])
    }
}
