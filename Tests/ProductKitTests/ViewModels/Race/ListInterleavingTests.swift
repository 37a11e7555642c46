import ProductKit
import Testing

// Rule: catalog/last-text-wins (8); catalog/superseded-failure-is-ignored (9)
// Rule: catalog/rows-stay-during-search (10); catalog/concurrent-calls-share-a-page (19)
// Rule: catalog/page-of-old-query-dropped (22); catalog/page-during-debounce-is-appended (23)
// Rule: catalog/page-waits-for-search (24); catalog/favorite-updates-row (46)
// Rule: catalog/earlier-page-keeps-edits (48); catalog/page-keeps-pending-edit (50)
/// For every order of events, the rows belong to the query shown, no favorite status flickers, no
/// edit is lost, and only the failure of the newest request is stored.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ListInterleavingTests {
    // Rule: catalog/last-text-wins (8); catalog/superseded-failure-is-ignored (9)
    // Rule: catalog/rows-stay-during-search (10); catalog/page-of-old-query-dropped (22)
    // Rule: catalog/page-during-debounce-is-appended (23); catalog/page-waits-for-search (24)
    // Rule: catalog/favorite-updates-row (46); catalog/earlier-page-keeps-edits (48)
    // Rule: catalog/page-keeps-pending-edit (50)
    @Test(arguments: ["search", "next page", "tap"].indices)
    func `every order of a search, one that overtakes it, a next page and a tap`(
        first: Int
    ) async {
        let rules = ListRace.Rules(first: first)

        let count = await everyRun(of: rules, called: "two searches, a page and a tap")

        #expect(count > 1_000)
    }

    // Rule: catalog/searching-until-response (2); catalog/debounce-keeps-last-text (7)
    // Rule: catalog/page-during-debounce-is-appended (23); catalog/page-waits-for-search (24)
    @Test func `every order of searches that rest and a next page`() async {
        let rules = ListRace.Rules(taps: 0, rests: true)

        let count = await everyRun(of: rules, called: "two resting searches and a page")

        #expect(count > 500)
    }

    // Rule: catalog/debounce-keeps-last-text (7); catalog/last-text-wins (8)
    // Rule: catalog/superseded-failure-is-ignored (9); catalog/rows-stay-during-search (10)
    // Rule: catalog/page-of-old-query-dropped (22); catalog/page-during-debounce-is-appended (23)
    // Rule: catalog/page-waits-for-search (24); catalog/favorite-updates-row (46)
    // Rule: catalog/earlier-page-keeps-edits (48); catalog/page-keeps-pending-edit (50)
    @Test func `a thousand random orders of more searches, which rest`() async {
        for seed in 1...UInt64(1_000) {
            var choices = SeededChoice(seed: seed)
            let rules = ListRace.Rules(
                searches: 1 + choices.choose(of: 4),
                pages: choices.choose(of: 2),
                taps: choices.choose(of: 2),
                rests: choices.choose(of: 2) == 0
            )
            let race = ListRace(rules)

            let verdict = await race.run(&choices)

            #expect(verdict.isGood, "seed \(seed): \(verdict) after \(race.steps)")
        }
    }

    /// Runs every order, and returns how many there were.
    private func everyRun(of rules: ListRace.Rules, called name: String) async -> Int {
        var choices = EveryChoice()
        var (count, bad) = (0, 0)
        repeat {
            let race = ListRace(rules)
            let verdict = await race.run(&choices)
            count += 1
            if !verdict.isGood {
                bad += 1
                if bad <= 5 { Issue.record("\(verdict) after \(race.steps)") }
            }
        } while choices.next() && !choices.hasStrayed && bad < 100 && count < mostOrders
        #expect(bad == 0 && !choices.hasStrayed)
        print("\(name): \(count) orders, \(bad) wrong")
        return count
    }

    #if THREAD_SANITIZER
    // Ten times slower, it looks for races in some of them.
    private let mostOrders = 1_001
    #elseif DEBUG
    // A third of a minute for all of them is long for whoever has just changed a line; the release
    // tests run them.
    private let mostOrders = 2_001
    #else
    private let mostOrders = Int.max
    #endif
}
