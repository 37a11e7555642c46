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

        let runs = await runAll(configuration, atLeast: 200)

        #expect(runs.confirmations > 0 && runs.opened > 0)
    }

    @Test func `every order of an edit, two reloads and an opening keeps the invariants`() async {
        let configuration = Race.Configuration(
            hasCache: true,
            openings: 1,
            edits: 1,
            reloads: 2,
            rejectsRequests: false
        )

        let runs = await runAll(configuration, atLeast: 200)

        #expect(runs.opened > 0)
    }

    @Test func `every order of two edits and a reload with a cache keeps the invariants`() async {
        let configuration = Race.Configuration(hasCache: true, edits: 2, reloads: 1)

        _ = await runAll(configuration, atLeast: 504)
    }

    @Test func `random orders of longer runs keep the invariants`() async {
        for seed in 1...Orders.randomRuns(300) {
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

    /// Runs every order, or a sample in debug mode, and returns sums of all runs.
    private func runAll(
        _ configuration: Race.Configuration,
        atLeast minimum: Int
    ) async -> (confirmations: Int, opened: Int) {
        var (confirmations, opened) = (0, 0)
        await Orders.everyOrSample.run(named: "with a cache", atLeast: minimum) { choices in
            let race = Race(configuration)
            let violations = await race.run(&choices)
            confirmations += race.confirmations
            opened += race.opened
            return violations.isEmpty ? nil : "\(violations) after \(race.steps)"
        }
        return (confirmations, opened)
    }
}
