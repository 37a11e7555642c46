import ProductKit
import Testing

// Rule: outbox/every-order-of-outages (100)
/// Runs of ``OutageRace`` with every order, or random orders, of edits, outages and restarts.
///
/// The arguments select the favorite status or the membership in a list.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct OutageInterleavingTests {
    /// Steps whose orders are run.
    struct Steps {
        let name: String
        /// The minimum number of orders that must be possible.
        let minimum: Int
        let configuration: OutageRace.Configuration
    }

    // Rule: outbox/every-order-of-outages (100); screen/reload-resolves-unknown-outcome (37)
    // Rule: outbox/rejection-shows-server-value (79); outbox/rejected-edit-shows-next (85)
    // Rule: outbox/last-edit-then-saved (71); outbox/confirmed-without-flicker (77)
    // Rule: screen/screens-share-a-product (49)
    @Test(
        arguments: [
            Steps(
                name: "two edits, an outage and a restart",
                minimum: 80,
                configuration: .init(outages: 1, restarts: 1)
            ),
            Steps(
                name: "two edits, a lost response and a reload",
                minimum: 500,
                configuration: .init(reloads: 1, lostResponses: 1)
            ),
            Steps(
                name: "two edits, a refusal and a reload",
                minimum: 500,
                configuration: .init(reloads: 1, refusals: 1)
            ),
            Steps(
                name: "an edit, a lost response, a reload and a restart",
                minimum: 100,
                configuration: .init(edits: 1, reloads: 1, lostResponses: 1, restarts: 1)
            ),
            Steps(
                name: "three edits on two screens and an outage",
                minimum: 50,
                configuration: .init(screens: 2, edits: 3, outages: 1)
            ),
        ],
        [false, true]
    )
    func `every order keeps the invariants`(steps: Steps, editsMembership: Bool) async {
        var configuration = steps.configuration
        configuration.editsMembership = editsMembership
        let subject = editsMembership ? "membership" : "favorite status"

        await Orders.everyOrSample.run(
            named: "\(subject), \(steps.name)",
            atLeast: steps.minimum
        ) { choices in
            let race = OutageRace(configuration)
            let violations = await race.run(&choices)
            return violations.isEmpty ? nil : "\(violations) after \(race.steps)"
        }
    }

    // Rule: outbox/every-order-of-outages (100)
    @Test(arguments: [false, true])
    func `random orders of longer runs keep the invariants`(editsMembership: Bool) async {
        for seed in 1...Orders.randomRuns(2_000) {
            var choices = SeededChoice(seed: seed)
            let configuration = OutageRace.Configuration(
                editsMembership: editsMembership,
                screens: 1 + choices.choose(of: 2),
                edits: 1 + choices.choose(of: 6),
                reloads: choices.choose(of: 4),
                refusals: choices.choose(of: 3),
                lostResponses: choices.choose(of: 3),
                outages: choices.choose(of: 3),
                restarts: choices.choose(of: 4),
                recognizesChanges: seed.isMultiple(of: 2),
                returnsProduct: choices.choose(of: 2) == 0
            )
            let race = OutageRace(configuration)

            let violations = await race.run(&choices)

            #expect(violations.isEmpty, "seed \(seed): \(violations) after \(race.steps)")
        }
    }
}
