import ProductKit
import Testing

// Rule: screen/reload-keeps-pending-edit (34); screen/earlier-reload-keeps-status (35)
// Rule: screen/later-reload-changes-status (36); screen/reload-resolves-unknown-outcome (37)
// Rule: screen/status-is-always-consistent (38)
/// Runs of ``Race`` with an HTTP cache between the screens and the server.
///
/// Responses also confirm stored values with status code 304, and screens are opened with a stored
/// value during a run.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CachedInterleavingTests {
    @Test func `every order of an edit, a reload and an opening keeps the invariants`() async {
        let configuration = Race.Configuration(
            hasCache: true,
            openings: 1,
            edits: 1,
            reloads: 1,
            losesResponses: true
        )

        let runs = await runAll(configuration)

        #expect(runs.count > 200 && runs.confirmations > 0 && runs.opened > 0)
    }

    @Test func `every order of an edit, two reloads and an opening keeps the invariants`() async {
        let configuration = Race.Configuration(
            hasCache: true,
            openings: 1,
            edits: 1,
            reloads: 2,
            rejectsRequests: false
        )

        let runs = await runAll(configuration)

        #expect(runs.count > 200 && runs.opened > 0)
    }

    @Test func `every order of two edits and a reload with a cache keeps the invariants`() async {
        let configuration = Race.Configuration(hasCache: true, edits: 2, reloads: 1)

        let runs = await runAll(configuration)

        #expect(runs.count > 504)
    }

    @Test func `hundreds of random orders of longer runs keep the invariants`() async {
        for seed in 1...UInt64(300) {
            var choices = SeededChoice(seed: seed)
            let race = Race(
                Race.Configuration(
                    hasCache: true,
                    openings: choices.choose(of: 3),
                    screens: 1 + choices.choose(of: 2),
                    edits: 1 + choices.choose(of: 4),
                    reloads: 1 + choices.choose(of: 4),
                    losesResponses: choices.choose(of: 4) == 0
                )
            )

            let violations = await race.run(&choices)

            #expect(violations.isEmpty, "seed \(seed): \(violations) after \(race.steps)")
        }
    }

    /// Runs every order up to a limit, and returns the sums of all runs.
    private func runAll(
        _ configuration: Race.Configuration
    ) async -> (count: Int, confirmations: Int, opened: Int) {
        var choices = EveryChoice()
        var (count, flickers, failedRuns, confirmations, opened) = (0, 0, 0, 0, 0)
        repeat {
            let race = Race(configuration)
            let violations = await race.run(&choices)
            count += 1
            flickers += violations.flickers
            failedRuns += violations.isEmpty ? 0 : 1
            confirmations += race.confirmations
            opened += race.opened
            if !violations.isEmpty { Issue.record("\(violations) after \(race.steps)") }
        } while choices.next() && !choices.hasStrayed && failedRuns < 10 && count < maximumOrders
        #expect(flickers == 0 && failedRuns == 0 && !choices.hasStrayed)
        print(
            "cached: \(count) orders, \(confirmations) confirmations, \(opened) openings, "
                + "\(flickers) flickers, \(failedRuns) failed runs"
        )
        return (count, confirmations, opened)
    }

    #if THREAD_SANITIZER
    // With the thread sanitizer, the tests run ten times slower.
    private let maximumOrders = 601
    #elseif DEBUG
    // The tests in release mode run all orders.
    private let maximumOrders = 841
    #else
    private let maximumOrders = Int.max
    #endif
}
