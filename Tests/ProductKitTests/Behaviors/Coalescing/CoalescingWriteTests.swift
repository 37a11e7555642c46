import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CoalescingWriteTests {
    private let behavior = CoalescingBehavior { "" }
    private let held = HeldRequests()

    // Rule: coalescing/load-after-write-is-new (3)
    @Test(arguments: ["PUT", "POST", "PATCH", "DELETE"], [true, false])
    func `a load after the end of a write never joins an earlier load`(
        method: String,
        succeeds: Bool
    ) async throws {
        let before = await load()
        _ = try? await behavior.send(OutgoingRequest(method)) { _ in
            guard succeeds else { throw NetworkError(.timedOut) }
            return NetworkResponse(statusCode: 204)
        }

        let after = await load()
        let joined = await load()
        held.gate.open()

        let old = try await before.value
        let new = try await after.value
        #expect(old != new)
        #expect(try await joined.value == new)
        #expect(held.sends.count == 2)
    }

    // Rule: coalescing/load-after-write-is-new (3)
    @Test func `a load after a cancelled write never joins an earlier load`() async throws {
        let before = await load()
        let (write, server) = await write()
        write.cancel()
        await #expect(throws: CancellationError.self) { try await write.value }

        let after = await load()
        held.gate.open()
        server.open()

        #expect(try await before.value != after.value)
        #expect(held.sends.count == 2)
    }

    // Rule: coalescing/load-after-write-is-new (3)
    @Test func `a load after a write never joins one that started during it`() async throws {
        let (write, server) = await write()
        let during = await load()
        let joined = await load()
        server.open()
        _ = try await write.value

        let after = await load()
        held.gate.open()

        let old = try await during.value
        #expect(try await joined.value == old)
        #expect(try await after.value != old)
        #expect(held.sends.count == 2)
    }

    // Rule: coalescing/load-after-write-is-new (3)
    @Test(arguments: ["HEAD", "OPTIONS"])
    func `a load after a safe request joins an earlier load`(method: String) async throws {
        let before = await load()
        _ = try await behavior.send(OutgoingRequest(method)) { _ in NetworkResponse() }

        let after = await load()
        held.gate.open()

        #expect(try await before.value == after.value)
        #expect(held.sends.count == 1)
    }

    /// Starts a load and returns when its caller waits.
    private func load() async -> Task<NetworkResponse, any Error> {
        await held.start(through: behavior)[0]
    }

    /// Starts a write and returns when the server has received it.
    private func write() async -> (Task<NetworkResponse, any Error>, ActionGate<Void>) {
        let server = ActionGate<Void>()
        let task = Task {
            try await behavior.send(OutgoingRequest("PUT")) { _ in
                try await server.hold()
                return NetworkResponse(statusCode: 204)
            }
        }
        await server.waitForCalls(1)
        return (task, server)
    }
}
