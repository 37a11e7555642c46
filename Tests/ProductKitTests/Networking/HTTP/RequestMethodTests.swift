import Foundation
import ProductKit
import Testing

/// Safe and idempotent methods (RFC 9110 §9.2).
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RequestMethodTests {
    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
    func `a safe method is idempotent`(method: String) {
        let request = OutgoingRequest(method)

        #expect(request.isSafe && request.isIdempotent)
    }

    @Test(arguments: ["PUT", "DELETE"])
    func `PUT and DELETE are idempotent but not safe`(method: String) {
        let request = OutgoingRequest(method)

        #expect(!request.isSafe && request.isIdempotent)
    }

    @Test(arguments: ["POST", "PATCH", "CONNECT", "LOCK", "M-SEARCH", ""])
    func `any other method is neither safe nor idempotent`(method: String) {
        let request = OutgoingRequest(method)

        #expect(!request.isSafe && !request.isIdempotent)
    }
}
