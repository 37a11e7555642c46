import Foundation
import ProductKit
import Testing

/// Safe and idempotent methods (RFC 9110 §9.2).
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RequestMethodTests {
    @Test(arguments: [
        ("GET", true, true), ("HEAD", true, true), ("OPTIONS", true, true), ("TRACE", true, true),
        ("PUT", false, true), ("DELETE", false, true), ("POST", false, false),
        ("PATCH", false, false), ("CONNECT", false, false), ("LOCK", false, false),
        ("M-SEARCH", false, false), ("", false, false),
    ])
    func `a method may be safe and idempotent`(method: String, isSafe: Bool, isIdempotent: Bool) {
        let request = OutgoingRequest(method)

        #expect(request.isSafe == isSafe && request.isIdempotent == isIdempotent)
    }
}
