import ProductKit
import Testing

/// Runs of ``Race`` with every order, or random orders, of edits, responses, failures and reloads.
///
/// The edits change the favorite status or the membership in a list. With an HTTP cache between the
/// screens and the server, responses also confirm stored values with status code 304, and screens are
/// opened with a stored value during a run.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct InterleavingTests {
    /// Steps of which at least a minimum number of orders is possible.
    struct Steps: CustomTestStringConvertible {
        let testDescription: String
        let minimum: Int
        var configuration: Race.Configuration

        init(_ name: String, atLeast minimum: Int, _ configuration: Race.Configuration) {
            testDescription = name
            self.minimum = minimum
            self.configuration = configuration
        }
    }

    // Rule: screen/status-is-always-consistent (38); screen/screens-share-a-product (49)
    // Rule: screen/quick-taps-send-the-last (30); screen/cancel-rolls-back (47)
    // Rule: screen/reload-resolves-unknown-outcome (37)
    @Test(
        arguments: [
            Steps("two edits and a reload", atLeast: 504, .init()),
            Steps("edits on two screens and a reload", atLeast: 504, .init(screens: 2)),
            Steps("three edits", atLeast: 50, .init(edits: 3, reloads: 0)),
            Steps(
                "two edits, a cancellation and a reload",
                atLeast: 504,
                .init(rejectsRequests: false, cancellations: 1)
            ),
            Steps(
                "an edit, lost responses and a reload",
                atLeast: 20,
                .init(edits: 1, losesResponses: true)
            ),
        ],
        [false, true]
    )
    func `every order of edits and reloads keeps the invariants`(
        steps: Steps,
        editsMembership: Bool
    ) async {
        var steps = steps
        steps.configuration.editsMembership = editsMembership

        await runAll(steps)
    }

    // Rule: screen/reload-keeps-pending-edit (34); screen/earlier-reload-keeps-status (35)
    // Rule: screen/later-reload-changes-status (36); screen/reload-resolves-unknown-outcome (37)
    // Rule: screen/status-is-always-consistent (38)
    @Test(arguments: [
        Steps(
            "an edit, a reload and an opening",
            atLeast: 200,
            .init(hasCache: true, openings: 1, edits: 1, losesResponses: true)
        ),
        Steps(
            "an edit, two reloads and an opening",
            atLeast: 200,
            .init(hasCache: true, openings: 1, edits: 1, reloads: 2, rejectsRequests: false)
        ),
        Steps("two edits and a reload with a cache", atLeast: 504, .init(hasCache: true)),
    ])
    func `every order of edits, reloads and openings with a cache keeps the invariants`(
        steps: Steps
    ) async {
        let runs = await runAll(steps)

        #expect((runs.opened > 0) == (steps.configuration.openings > 0))
        #expect(runs.confirmations > 0 || !steps.configuration.losesResponses)
    }

    // Rule: screen/status-is-always-consistent (38)
    @Test(arguments: [false, true])
    func `random orders of longer runs keep the invariants`(editsMembership: Bool) async {
        await runRandom(2_000) { choices in
            Race.Configuration(
                editsMembership: editsMembership,
                screens: 1 + choices.choose(of: 2),
                edits: 1 + choices.choose(of: 7),
                reloads: choices.choose(of: 4),
                rejectsRequests: choices.choose(of: 2) == 0,
                cancellations: choices.choose(of: 3),
                losesResponses: choices.choose(of: 4) == 0,
                // A response about lists does not contain whether the product is deleted.
                deletions: choices.choose(of: 4) == 0 && !editsMembership ? 2 : 0
            )
        }
    }

    // Rule: screen/status-is-always-consistent (38)
    @Test func `random orders of longer runs with a cache keep the invariants`() async {
        await runRandom(300) { choices in
            Race.Configuration(
                hasCache: true,
                openings: choices.choose(of: 3),
                screens: 1 + choices.choose(of: 2),
                edits: 1 + choices.choose(of: 4),
                reloads: 1 + choices.choose(of: 4),
                losesResponses: choices.choose(of: 4) == 0
            )
        }
    }

    private func runRandom(
        _ count: UInt64,
        _ configuration: (inout SeededChoice) -> Race.Configuration
    ) async {
        for seed in 1...Orders.randomRuns(count) {
            var choices = SeededChoice(seed: seed)
            let race = Race(configuration(&choices))

            let violations = await race.run(&choices)

            #expect(violations.isEmpty, "seed \(seed): \(violations) after \(race.steps)")
        }
    }

    /// Runs every order, or a sample in debug mode, and returns sums of all runs.
    @discardableResult
    private func runAll(_ steps: Steps) async -> (confirmations: Int, opened: Int) {
        var (confirmations, opened) = (0, 0)
        let subject = steps.configuration.editsMembership ? "membership" : "favorite status"
        let name = "\(subject), \(steps.testDescription)"
        await Orders.everyOrSample.run(named: name, atLeast: steps.minimum) { choices in
            let race = Race(steps.configuration)
            let violations = await race.run(&choices)
            confirmations += race.confirmations
            opened += race.opened
            return violations.isEmpty ? nil : "\(violations) after \(race.steps)"
        }
        return (confirmations, opened)
    }
}
