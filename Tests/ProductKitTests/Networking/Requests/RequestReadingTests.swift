import Foundation
import ProductKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RequestReadingTests {
    // Rule: reads/server-sees-no-declaration (3)
    @Test(arguments: [nil, "products", "all products?\r\n#1 ü", "*", ""])
    func `the networking receives a declared read without the declaration`(
        key: String?
    ) async throws {
        let query = NetworkRequest<NetworkResponse>.query("boots")
        let plain = try await networkRequests(of: query)

        let requests = try await networkRequests(of: query.reading(as: key))

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
        let plain = try request.urlRequest(relativeTo: .api)
        let declared = try request.reading().urlRequest(relativeTo: .api)
        var streamed = declared
        streamed.httpBodyStream = InputStream(data: Data("boots".utf8))

        #expect(!plain.isSafe && !plain.isIdempotent)
        #expect(declared.isSafe && declared.isIdempotent)
        #expect(!streamed.isSafe && !streamed.isIdempotent)
    }

    // Rule: reads/declared-read-is-like-get (1)
    @Test func `a declaration stays when the output of the request is changed`() async throws {
        let request = NetworkRequest<NetworkResponse>.query("boots").reading()
            .map { response, _ in response.statusCode }

        #expect(try request.urlRequest(relativeTo: .api).isSafe)
        #expect(try request.header("Accept", "*/*").fetched.urlRequest(relativeTo: .api).isSafe)
    }

    /// Sends a request to a server that is not available, and returns the requests that the
    /// networking receives.
    private func networkRequests(
        of request: NetworkRequest<NetworkResponse>
    ) async throws -> [URLRequest] {
        let requests = Mutex<[URLRequest]>([])
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                requests.withLock { $0.append(request) }
                return NetworkResponse(statusCode: 503)
            },
            behaviors: [
                CachingBehavior { "" }, CoalescingBehavior { "" },
                RetryBehavior(effects: ManualClock(skipsDelays: true).effects()),
            ]
        )
        await #expect(throws: NetworkError.self) { try await client.send(request) }
        return requests.withLock(\.self).map { request in
            var request = request
            request.timeoutInterval = 60
            return request
        }
    }
}
