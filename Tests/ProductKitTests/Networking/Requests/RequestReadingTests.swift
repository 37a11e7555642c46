import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RequestReadingTests {
    // Rule: reads/server-sees-no-declaration (3)
    @Test(arguments: ["", "products", "all products?\r\n#1 ü", "*"])
    func `the networking receives a declared read without the declaration`(
        name: String
    ) async throws {
        let query = NetworkRequest<NetworkResponse>.query("boots")
        let plain = try await networkRequests(of: query)

        let requests = try await networkRequests(of: query.reading(as: name))

        #expect(plain.count == 1 && requests.count == 3)
        for request in requests {
            #expect(request.httpMethod == "POST" && request.text == "boots")
            #expect(request.allHTTPHeaderFields == plain[0].allHTTPHeaderFields)
        }
    }

    // Rule: reads/server-sees-no-declaration (3)
    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
    func `a declaration does not change a request with a safe method`(method: String) throws {
        let request = NetworkRequest<Void>(method: method, segments: []) { _ in }

        let declared = try request.reading(as: "all").urlRequest(relativeTo: .api)

        #expect(try declared == request.urlRequest(relativeTo: .api))
        #expect(declared.allHTTPHeaderFields ?? [:] == [:])
    }

    // Rule: reads/declared-read-is-like-get (1)
    @Test(arguments: ["POST", "QUERY", "SEARCH"])
    func `a declared read is safe and idempotent`(method: String) throws {
        let request = NetworkRequest<NetworkResponse>.query("boots", method: method)
        let plain = try request.parts.outgoing(relativeTo: .api)
        let declared = try request.reading().parts.outgoing(relativeTo: .api)

        #expect(!plain.isSafe && !plain.isIdempotent && !plain.isRead)
        #expect(declared.isSafe && declared.isIdempotent && declared.isRead)
    }

    // Rule: reads/declared-read-is-like-get (1)
    @Test func `a declaration stays when the output of the request is changed`() async throws {
        let request = NetworkRequest<NetworkResponse>.query("boots").reading()
            .map { response, _ in response.statusCode }

        #expect(try request.parts.outgoing(relativeTo: .api).isSafe)
        #expect(try request.header("Accept", "*/*").fetched.parts.outgoing(relativeTo: .api).isSafe)
    }

    /// Sends a request to a server that is not available, and returns the requests that the
    /// networking receives.
    private func networkRequests(
        of request: NetworkRequest<NetworkResponse>
    ) async throws -> [URLRequest] {
        let requests = Mutex<[URLRequest]>([])
        let client = NetworkClient(behaviors: [
            CachingBehavior { "" }, CoalescingBehavior { "" },
            RetryBehavior(effects: .skippingDelays),
        ]) { request in
            requests.withLock { $0.append(request) }
            return NetworkResponse(statusCode: 503)
        }
        await #expect(throws: NetworkError.self) { try await client.send(request) }
        return requests.withLock(\.self).map { request in
            var request = request
            request.timeoutInterval = 60
            return request
        }
    }
}
