import ProductKit
import Testing

// Rule: outbox/every-order-of-outages (100)
/// Runs of ``OutageRace`` with every order, or random orders, of edits, outages and restarts.
///
/// The arguments select the favorite status or the membership in a list.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct OutageInterleavingTests {
    // Rule: outbox/every-order-of-outages (100)
    @Test(arguments: [false, true])
    func `every order of two edits, an outage and a restart keeps the invariants`(
        editsMembership: Bool
    ) async {
        var configuration = OutageRace.Configuration(editsMembership: editsMembership)
        (configuration.outages, configuration.restarts) = (1, 1)

        await runAll(configuration, named: "two edits, an outage and a restart", atLeast: 80)
    }

    // Rule: outbox/every-order-of-outages (100); screen/reload-resolves-unknown-outcome (37)
    @Test(arguments: [false, true])
    func `every order of two edits, a lost response and a reload keeps the invariants`(
        editsMembership: Bool
    ) async {
        var configuration = OutageRace.Configuration(editsMembership: editsMembership)
        (configuration.lostResponses, configuration.reloads) = (1, 1)

        await runAll(configuration, named: "two edits, a lost response and a reload", atLeast: 500)
    }

    // Rule: outbox/every-order-of-outages (100); outbox/rejection-shows-server-value (79)
    @Test(arguments: [false, true])
    func `every order of two edits, a refusal and a reload keeps the invariants`(
        editsMembership: Bool
    ) async {
        var configuration = OutageRace.Configuration(editsMembership: editsMembership)
        (configuration.refusals, configuration.reloads) = (1, 1)

        await runAll(configuration, named: "two edits, a refusal and a reload", atLeast: 500)
    }

    // Rule: outbox/every-order-of-outages (100)
    @Test(arguments: [false, true])
    func `every order of an edit, a lost response, a reload and a restart keeps the invariants`(
        editsMembership: Bool
    ) async {
        var configuration = OutageRace.Configuration(editsMembership: editsMembership, edits: 1)
        (configuration.lostResponses, configuration.reloads, configuration.restarts) = (1, 1, 1)

        await runAll(configuration, named: "a lost response, a reload and a restart", atLeast: 100)
    }

    // Rule: outbox/every-order-of-outages (100); screen/screens-share-a-product (49)
    @Test(arguments: [false, true])
    func `every order of three edits on two screens and an outage keeps the invariants`(
        editsMembership: Bool
    ) async {
        var configuration = OutageRace.Configuration(editsMembership: editsMembership, screens: 2)
        (configuration.edits, configuration.outages) = (3, 1)

        await runAll(configuration, named: "three edits and an outage", atLeast: 50)
    }

    // Rule: outbox/every-order-of-outages (100)
    @Test(arguments: [false, true])
    func `random orders of longer runs keep the invariants`(
        editsMembership: Bool
    ) async {
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

    /// Runs every order; a sample in debug mode.
    private func runAll(
        _ configuration: OutageRace.Configuration,
        named name: String,
        atLeast minimum: Int
    ) async {
        let subject = configuration.editsMembership ? "membership" : "favorite status"
        await Orders.everyOrSample.run(named: "\(subject), \(name)", atLeast: minimum) { choices in
            let race = OutageRace(configuration)
            let violations = await race.run(&choices)
            return violations.isEmpty ? nil : "\(violations) after \(race.steps)"
        }
    }
}
