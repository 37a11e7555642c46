import Foundation
import ProductKit
import Synchronization
import Testing

// Rule: tokens/one-refresh-for-all (1); tokens/newer-token-needs-no-refresh (2)
// Rule: tokens/expired-token-is-refreshed-first (3); tokens/rejected-refresh-ends-session (4)
// Rule: tokens/refresh-storm-is-stopped (5); tokens/refresh-is-not-signed (6)
// Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
/// Plays random orders of events (requests of two users, 401 responses, refreshes that succeed, fail
/// or are rejected, token changes, cancellations, signing out and in), and checks what must hold in
/// all of them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TokenScheduleTests {
    @Test(arguments: UInt64(0)..<60)
    func `in any order of events tokens stay with their users and all requests end`(
        seed: UInt64
    ) async throws {
        var chance = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...100, using: &chance)
        let session = TokenSession(seed: seed)
        let time = ManualClock()
        var effects = time.effects()
        // No refresh times out.
        effects.sleepToDeadline = { _ in try await ActionGate<Void>().hold() }
        let behavior = TokenBehavior(
            effects: effects,
            token: { session.current },
            refresh: { try await session.refresh($0) }
        )
        let executor = SerialTaskExecutor()
        let gates = (0..<count).map { _ in ActionGate<Void>() }
        var tasks: [Task<NetworkResponse, any Error>] = []
        var cancelled: Set<Int> = []

        for _ in 0..<(4 * count) {
            switch Int.random(in: 0..<12, using: &chance) {
            case 0..<5 where tasks.count < count:
                let gate = gates[tasks.count]
                tasks.append(
                    Task(executorPreference: executor) {
                        let user = session.current?.user ?? "unsigned"
                        let sends = Counter()
                        return try await behavior.send(OutgoingRequest("GET")) { request in
                            session.check(request, of: user, number: sends.next())
                            try await gate.hold()
                            return session.response(to: request)
                        }
                    }
                )
                // The behavior reads the token before another user signs in.
                await executor.waitUntilIdle()
            case 0..<8: gates.randomElement(using: &chance)?.open()
            case 8: session.rotate()
            case 9: session.completeRefreshes()
            case 10:
                guard let index = tasks.indices.randomElement(using: &chance) else { break }
                cancelled.insert(index)
                tasks[index].cancel()
            default:
                time.advance(by: .seconds(Int.random(in: 0...9, using: &chance)))
                session.signInNext()
            }
        }
        for gate in gates { gate.open() }
        session.completeAllRefreshes()

        for (index, task) in tasks.enumerated() {
            switch await task.result {
            case .success(let response): #expect([200, 401].contains(response.statusCode))
            case .failure(is CancellationError): #expect(cancelled.contains(index))
            case .failure(is TokenError): break
            case .failure(let error): #expect((error as? NetworkError)?.code == .timedOut)
            }
        }
        #expect(session.problems.isEmpty, "\(session.problems)")
    }
}

/// The tokens of an app and its server; each token starts with the name of its user.
private final class TokenSession: Sendable {
    private struct State {
        var current: AccessToken? = AccessToken("ann 0", user: "ann")
        var valid: Set<String> = ["ann 0"]
        var number = 0
        var refreshing: Set<AccessToken> = []
        var refreshed: Set<AccessToken> = []
        var endpoint = ActionGate<Void>()
        var isOpen = false
        var chance: SeededGenerator
        var problems: [String] = []

        mutating func newToken(for user: String?) -> AccessToken {
            number += 1
            let token = AccessToken("\(user ?? "unsigned") \(number)", user: user)
            if Int.random(in: 0..<8, using: &chance) > 0 { valid.insert(token.rawValue) }
            return token
        }
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(chance: SeededGenerator(seed: ~seed)))
    }

    var current: AccessToken? { state.withLock { $0.current } }
    var problems: [String] { state.withLock { $0.problems } }

    /// Makes all tokens invalid on the server; sometimes the app has a new one already.
    func rotate() {
        state.withLock { state in
            state.valid = []
            guard Bool.random(using: &state.chance), let user = state.current?.user else { return }
            state.current = state.newToken(for: user)
        }
    }

    func signInNext() {
        state.withLock { state in
            let user = ["ann", "bob", nil].randomElement(using: &state.chance) ?? nil
            state.current = user.map { state.newToken(for: $0) }
        }
    }

    func refresh(_ old: AccessToken) async throws -> AccessToken {
        let endpoint = state.withLock { state in
            if !state.refreshing.insert(old).inserted { state.problems.append("two at once") }
            if state.refreshed.contains(old) { state.problems.append("refreshed twice") }
            return state.endpoint
        }
        try await endpoint.hold()
        if Task.isCancelled { state.withLock { $0.problems.append("cancelled") } }
        return try state.withLock { state in
            state.refreshing.remove(old)
            switch Int.random(in: 0..<6, using: &state.chance) {
            case 0: throw NetworkError(.timedOut)
            case 1: throw NetworkError.invalidGrant()
            default: break
            }
            state.refreshed.insert(old)
            let newToken = state.newToken(for: old.user)
            if state.current == old { state.current = newToken }
            return newToken
        }
    }

    func completeRefreshes() {
        let endpoint = state.withLock { state in
            defer { if !state.isOpen { state.endpoint = ActionGate<Void>() } }
            return state.endpoint
        }
        endpoint.open()
    }

    func completeAllRefreshes() {
        state.withLock { $0.isOpen = true }
        completeRefreshes()
    }

    func check(_ request: URLRequest, of user: String, number: Int) {
        let token = request.token ?? "unsigned"
        state.withLock { state in
            if !token.hasPrefix(user) { state.problems.append("\(token) for \(user)") }
            if number > 2 { state.problems.append("sent \(number) times") }
        }
    }

    func response(to request: URLRequest) -> NetworkResponse {
        guard request.token != nil else { return NetworkResponse() }
        return state.withLock { NetworkResponse(to: request, accepting: $0.valid) }
    }
}
