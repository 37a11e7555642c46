import ProductKit
import Testing

// Rule: screen/status-is-always-consistent (38)
/// Runs of ``Race`` with every order, or random orders, of edits, responses, failures and reloads.
///
/// The arguments select the favorite status or the membership in a list.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct InterleavingTests {
    // Rule: screen/status-is-always-consistent (38)
    @Test(arguments: [false, true])
    func `every order of two edits and a reload keeps the invariants`(editsMembership: Bool) async {
        let configuration = Race.Configuration(editsMembership: editsMembership)

        await runAll(configuration, named: "two edits and a reload", atLeast: 504)
    }

    // Rule: screen/status-is-always-consistent (38); screen/screens-share-a-product (49)
    @Test(arguments: [false, true])
    func `every order of edits on two screens and a reload keeps the invariants`(
        editsMembership: Bool
    ) async {
        let configuration = Race.Configuration(editsMembership: editsMembership, screens: 2)

        await runAll(configuration, named: "two screens and a reload", atLeast: 504)
    }

    // Rule: screen/status-is-always-consistent (38); screen/quick-taps-send-the-last (30)
    @Test(arguments: [false, true])
    func `every order of three edits keeps the invariants`(editsMembership: Bool) async {
        let configuration = Race.Configuration(
            editsMembership: editsMembership,
            edits: 3,
            reloads: 0
        )

        await runAll(configuration, named: "three edits", atLeast: 50)
    }

    // Rule: screen/status-is-always-consistent (38); screen/cancel-rolls-back (47)
    @Test(arguments: [false, true])
    func `every order of two edits, a cancellation and a reload keeps the invariants`(
        editsMembership: Bool
    ) async {
        let configuration = Race.Configuration(
            editsMembership: editsMembership,
            rejectsRequests: false,
            cancellations: 1
        )

        await runAll(configuration, named: "two edits, a cancellation and a reload", atLeast: 504)
    }

    // Rule: screen/reload-resolves-unknown-outcome (37); screen/status-is-always-consistent (38)
    @Test(arguments: [false, true])
    func `every order of an edit, lost responses and a reload keeps the invariants`(
        editsMembership: Bool
    ) async {
        let configuration = Race.Configuration(
            editsMembership: editsMembership,
            edits: 1,
            losesResponses: true
        )

        await runAll(configuration, named: "an edit, lost responses and a reload", atLeast: 20)
    }

    // Rule: screen/status-is-always-consistent (38)
    @Test(arguments: [false, true])
    func `random orders of longer runs keep the invariants`(
        editsMembership: Bool
    ) async {
        for seed in 1...Orders.randomRuns(2_000) {
            var choices = SeededChoice(seed: seed)
            var configuration = Race.Configuration(
                editsMembership: editsMembership,
                screens: 1 + choices.choose(of: 2),
                edits: 1 + choices.choose(of: 7),
                reloads: choices.choose(of: 4),
                rejectsRequests: choices.choose(of: 2) == 0,
                cancellations: choices.choose(of: 3),
                losesResponses: choices.choose(of: 4) == 0,
                deletions: choices.choose(of: 4) == 0 ? 2 : 0
            )
            // A response about lists does not contain whether the product is deleted.
            if editsMembership { configuration.deletions = 0 }
            let race = Race(configuration)

            let violations = await race.run(&choices)

            #expect(violations.isEmpty, "seed \(seed): \(violations) after \(race.steps)")
        }
    }

    /// Runs every order; a sample in debug mode.
    private func runAll(
        _ configuration: Race.Configuration,
        named name: String,
        atLeast minimum: Int
    ) async {
        let subject = configuration.editsMembership ? "membership" : "favorite status"
        await Orders.everyOrSample.run(named: "\(subject), \(name)", atLeast: minimum) { choices in
            let race = Race(configuration)
            let violations = await race.run(&choices)
            return violations.isEmpty ? nil : "\(violations) after \(race.steps)"
        }
    }
}
