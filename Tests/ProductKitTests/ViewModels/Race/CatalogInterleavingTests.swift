import ProductKit
import Testing

/// Runs of ``CatalogRace`` with every order, or random orders, of searches, pages and a toggle.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CatalogInterleavingTests {
    // Rule: catalog/last-text-wins (8); catalog/superseded-failure-is-ignored (9)
    // Rule: catalog/rows-stay-during-search (10); catalog/page-of-old-query-dropped (22)
    // Rule: catalog/page-during-debounce-is-appended (23); catalog/page-waits-for-search (24)
    // Rule: catalog/favorite-updates-row (46); catalog/earlier-page-keeps-edits (48)
    // Rule: catalog/page-keeps-pending-edit (50)
    @Test(arguments: [.search, .nextPage, .toggle] as [CatalogRace.Step])
    func `every order of two searches, a next page and a toggle keeps the invariants`(
        first: CatalogRace.Step
    ) async {
        let configuration = CatalogRace.Configuration(first: first)

        await runAll(configuration, named: "two searches, a page and a toggle", atLeast: 1_000)
    }

    // Rule: catalog/searching-until-response (2); catalog/debounce-keeps-last-text (7)
    // Rule: catalog/page-during-debounce-is-appended (23); catalog/page-waits-for-search (24)
    @Test func `every order of two debounced searches and a next page keeps the invariants`() async
    {
        let configuration = CatalogRace.Configuration(toggles: 0, suspendsDebounce: true)

        await runAll(configuration, named: "two debounced searches and a page", atLeast: 500)
    }

    // Rule: catalog/debounce-keeps-last-text (7); catalog/last-text-wins (8)
    // Rule: catalog/superseded-failure-is-ignored (9); catalog/rows-stay-during-search (10)
    // Rule: catalog/page-of-old-query-dropped (22); catalog/page-during-debounce-is-appended (23)
    // Rule: catalog/page-waits-for-search (24); catalog/favorite-updates-row (46)
    // Rule: catalog/earlier-page-keeps-edits (48); catalog/page-keeps-pending-edit (50)
    @Test func `random orders of debounced searches keep the invariants`() async {
        for seed in 1...Orders.randomRuns(1_000) {
            var choices = SeededChoice(seed: seed)
            let configuration = CatalogRace.Configuration(
                searches: 1 + choices.choose(of: 4),
                pages: choices.choose(of: 2),
                toggles: choices.choose(of: 2),
                suspendsDebounce: choices.choose(of: 2) == 0
            )
            let race = CatalogRace(configuration)

            let violations = await race.run(&choices)

            #expect(violations.isEmpty, "seed \(seed): \(violations) after \(race.steps)")
        }
    }

    /// Runs every order; a sample in debug mode.
    private func runAll(
        _ configuration: CatalogRace.Configuration,
        named name: String,
        atLeast minimum: Int
    ) async {
        await Orders.everyOrSample.run(named: name, atLeast: minimum) { choices in
            let race = CatalogRace(configuration)
            let violations = await race.run(&choices)
            return violations.isEmpty ? nil : "\(violations) after \(race.steps)"
        }
    }
}
