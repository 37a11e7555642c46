import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ClosureBehaviorTests {
    private let echo = NetworkExchange { request in
        _ = try request.urlRequest()
        return NetworkResponse(headers: request.headers)
    }

    @Test func `a behavior without closures changes nothing`() async throws {
        let request = try OutgoingRequest.query("boots", as: "search")
        let unchanged = try request.urlRequest()
        let behavior: any RequestBehavior = ClosureBehavior()

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

    @Test func `header fields are added unless the request has them`() async throws {
        var request = OutgoingRequest(url: .api)
        request.headers["accept-language"] = "de"
        let behavior = ClosureBehavior(additionalHeaders: {
            ["Accept-Language": "en", "X-App-Version": "1.4"]
        })

        let response = try await behavior.intercept(request, next: echo)

        #expect(response.headers == ["Accept-Language": "de", "X-App-Version": "1.4"])
    }

    @Test func `additional header fields are computed for every exchange`() async throws {
        let count = Counter()
        let behavior = ClosureBehavior(additionalHeaders: {
            ["X-Count": "\(count.next())"]
        })

        let first = try await behavior.intercept(OutgoingRequest(url: .api), next: echo)
        let second = try await behavior.intercept(OutgoingRequest(url: .api), next: echo)

        #expect(first.headers == ["X-Count": "1"])
        #expect(second.headers == ["X-Count": "2"])
    }

    @Test(arguments: [(name: "X\r\nY", value: "1"), (name: "X", value: "1\r\nY: 2")])
    func `an additional header field that HTTP does not allow is refused`(
        field: (name: String, value: String)
    ) async throws {
        let behavior = ClosureBehavior(additionalHeaders: { [field.name: field.value] })

        let error = try #require(
            await #expect(throws: NetworkError.self) {
                try await behavior.intercept(OutgoingRequest(url: .api), next: echo)
            }
        )

        #expect(error.code == .invalidRequest)
    }

    @Test func `a request is modified after header fields were added`() async throws {
        let behavior = ClosureBehavior(
            additionalHeaders: { ["X-App-Version": "1.4"] },
            modify: { request in
                let version = request.headers["X-App-Version"] ?? "none"
                request.headers["X-App-Version"] = version + "-beta"
            }
        )

        let response = try await behavior.intercept(OutgoingRequest(url: .api), next: echo)

        #expect(response.headers == ["X-App-Version": "1.4-beta"])
    }

    @Test func `the intercept closure receives the modified request`() async throws {
        let behavior = ClosureBehavior(
            additionalHeaders: { ["A": "1"] },
            modify: { $0.method = "HEAD" },
            intercept: { request, next in
                #expect(request.headers["A"] == "1")
                #expect(request.method == "HEAD")
                var response = try await next(request)
                response.statusCode = 299
                return response
            }
        )

        let response = try await behavior.intercept(OutgoingRequest(url: .api), next: echo)

        #expect(response == NetworkResponse(statusCode: 299, headers: ["A": "1"]))
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
