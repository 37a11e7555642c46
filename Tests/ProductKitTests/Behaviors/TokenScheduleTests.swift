import Foundation
import ProductKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Rule: tokens/one-refresh-for-all (1); tokens/newer-token-needs-no-refresh (2)
// Rule: tokens/expired-token-is-refreshed-first (3); tokens/rejected-refresh-ends-session (4)
// Rule: tokens/refresh-storm-is-stopped (5); tokens/refresh-is-not-signed (6)
// Rule: tokens/token-stays-with-its-user (7); security/token-stays-with-its-user (31)
/// What must hold whatever comes in between: requests of two users, refusals, refreshes that succeed,
/// fail or are rejected, rotations, cancellations, signing out and in.
@Suite(.timeLimit(.minutes(5)))
struct TokenScheduleTests {
    @Test(arguments: UInt64(0)..<60)
    func `in any order of events nobody gets another's token or waits for ever`(
        seed: UInt64
    ) async throws {
        var chance = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...100, using: &chance)
        let session = TokenSession(seed: seed)
        let time = Timeline()
        let behavior = TokenBehavior(
            effects: time.effects(),
            token: { session.current },
            refresh: { try await session.refresh($0) }
        )
        let lane = Lane()
        let gates = (0..<count).map { _ in Gate() }
        var tasks: [Task<NetworkResponse, any Error>] = []
        var cancelled: Set<Int> = []

        for _ in 0..<(4 * count) {
            switch Int.random(in: 0..<12, using: &chance) {
            case 0..<5 where tasks.count < count:
                let gate = gates[tasks.count]
                tasks.append(
                    Task(executorPreference: lane) {
                        let user = session.current?.user ?? "nobody"
                        let sends = Counter()
                        return try await behavior.send(URLRequest("GET")) { request in
                            session.check(request, of: user, number: sends.next())
                            try await gate.pass()
                            return session.answer(to: request)
                        }
                    }
                )
                // Nobody signs in between looking whose request it is and asking for the token.
                await lane.settle()
            case 0..<8: gates.randomElement(using: &chance)?.open()
            case 8: session.rotate()
            case 9: session.answerRefreshes()
            case 10:
                guard let index = tasks.indices.randomElement(using: &chance) else { break }
                cancelled.insert(index)
                tasks[index].cancel()
            default:
                time.move(by: .seconds(Int.random(in: 0...9, using: &chance)))
                session.signInNext()
            }
        }
        for gate in gates { gate.open() }
        session.answerAllRefreshes()

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

/// What a host and its server know of tokens; every token tells whose it is.
private final class TokenSession: Sendable {
    private struct State {
        var current: AccessToken? = AccessToken("ann 0", user: "ann")
        var valid: Set<String> = ["ann 0"]
        var number = 0
        var refreshing: Set<AccessToken> = []
        var refreshed: Set<AccessToken> = []
        var endpoint = Gate()
        var isOpen = false
        var chance: SeededGenerator
        var problems: [String] = []

        mutating func fresh(for user: String?) -> AccessToken {
            number += 1
            let token = AccessToken("\(user ?? "nobody") \(number)", user: user)
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

    /// The server refuses all tokens there are; now and then the host has another one already.
    func rotate() {
        state.withLock { state in
            state.valid = []
            guard Bool.random(using: &state.chance), let user = state.current?.user else { return }
            state.current = state.fresh(for: user)
        }
    }

    func signInNext() {
        state.withLock { state in
            let user = ["ann", "bob", nil].randomElement(using: &state.chance) ?? nil
            state.current = user.map { state.fresh(for: $0) }
        }
    }

    func refresh(_ old: AccessToken) async throws -> AccessToken {
        let endpoint = state.withLock { state in
            if !state.refreshing.insert(old).inserted { state.problems.append("two at once") }
            if state.refreshed.contains(old) { state.problems.append("refreshed twice") }
            return state.endpoint
        }
        try await endpoint.pass()
        if Task.isCancelled { state.withLock { $0.problems.append("cancelled") } }
        return try state.withLock { state in
            state.refreshing.remove(old)
            switch Int.random(in: 0..<6, using: &state.chance) {
            case 0: throw NetworkError(.timedOut)
            case 1: throw NetworkError(NetworkResponse(statusCode: 401))
            default: break
            }
            state.refreshed.insert(old)
            let fresh = state.fresh(for: old.user)
            if state.current == old { state.current = fresh }
            return fresh
        }
    }

    func answerRefreshes() {
        let endpoint = state.withLock { state in
            defer { if !state.isOpen { state.endpoint = Gate() } }
            return state.endpoint
        }
        endpoint.open()
    }

    func answerAllRefreshes() {
        state.withLock { $0.isOpen = true }
        answerRefreshes()
    }

    func check(_ request: URLRequest, of user: String, number: Int) {
        let token = request.token ?? "nobody"
        state.withLock { state in
            if !token.hasPrefix(user) { state.problems.append("\(token) for \(user)") }
            if number > 2 { state.problems.append("sent \(number) times") }
        }
    }

    func answer(to request: URLRequest) -> NetworkResponse {
        guard request.token != nil else { return NetworkResponse() }
        return state.withLock { NetworkResponse(to: request, knowing: $0.valid) }
    }
}
