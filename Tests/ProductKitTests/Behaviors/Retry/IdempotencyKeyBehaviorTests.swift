import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct IdempotencyKeyBehaviorTests {
    // Rule: retry/idempotency-keys (11)
    @Test(arguments: [
        ("POST", true), ("PATCH", true), ("GET", false), ("HEAD", false), ("OPTIONS", false),
        ("PUT", false), ("DELETE", false),
    ])
    func `a request gets a key unless it is idempotent`(method: String, hasKey: Bool) async throws {
        let id = UUID()
        let behavior = IdempotencyKeyBehavior(effects: SystemEffects(uuid: { id }))

        #expect(try await keys(of: method, sentBy: behavior) == [hasKey ? id.uuidString : nil])
    }

    // Rule: retry/idempotency-keys (11)
    @Test(arguments: ["Idempotency-Key", "idempotency-key"])
    func `a key that the request already has is kept`(name: String) async throws {
        _ = try await IdempotencyKeyBehavior()
            .send(OutgoingRequest("POST", headers: [name: "own"])) { request in
                #expect(request.allHTTPHeaderFields?.values.map(\.self) == ["own"])
                return NetworkResponse()
            }
    }

    // Rule: retry/idempotency-keys (11)
    @Test func `all attempts of a request have the same key, which is created once`() async throws {
        let created = Counter()
        let effects = SystemEffects(uuid: {
            created.next()
            return UUID()
        })
        let stack = ClosureBehavior.stack([
            IdempotencyKeyBehavior(effects: effects),
            RetryBehavior(effects: .skippingDelays),
        ])

        let keys = try await keys(of: "POST", sentBy: stack)

        #expect(keys.count == 3 && Set(keys).count == 1)
        #expect(created.count == 1)
    }

    // Rule: retry/idempotency-keys (11)
    @Test func `each request gets another key`() async throws {
        let behavior = IdempotencyKeyBehavior()
        var allKeys: Set<String?> = []

        for _ in 0..<1_000 { allKeys.formUnion(try await keys(of: "POST", sentBy: behavior)) }

        #expect(allKeys.count == 1_000)
    }

    // Rule: retry/idempotency-keys (11)
    @Test func `a default key has 122 random bits`() {
        let keys = (0..<1_000).map { _ in SystemEffects().uuid().uuid }

        // Version 4 and variant 1 (RFC 9562 §5.4) leave 122 random bits.
        #expect(keys.allSatisfy { $0.6 >> 4 == 4 && $0.8 >> 6 == 2 })
        let ones = keys.reduce(UInt8.zero) { $0 | $1.0 | ($1.6 & 15) | ($1.8 & 63) | $1.15 }
        let zeros = keys.reduce(UInt8.max) { $0 & $1.0 & $1.15 }
        #expect(ones == .max)
        #expect(zeros == 0)
    }

    // Rule: retry/idempotent-requests-are-retried (1)
    @Test func `placed inside of retry, it does not allow retries`() async throws {
        let stack = ClosureBehavior.stack([
            RetryBehavior(effects: .skippingDelays), IdempotencyKeyBehavior(),
        ])

        #expect(try await keys(of: "POST", sentBy: stack).count == 1)
    }

    /// The keys that a server receives that always responds with 503.
    private func keys(
        of method: String,
        sentBy behavior: some RequestBehavior
    ) async throws -> [String?] {
        let keys = Mutex<[String?]>([])
        _ = try await behavior.send(OutgoingRequest(method)) { request in
            keys.withLock { $0.append(request.value(forHTTPHeaderField: "Idempotency-Key")) }
            return NetworkResponse(statusCode: 503)
        }
        return keys.withLock { $0 }
    }
}
