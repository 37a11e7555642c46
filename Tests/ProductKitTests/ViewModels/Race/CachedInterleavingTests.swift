import ProductKit
import Testing

// Rule: screen/reload-keeps-pending-edit (34); screen/earlier-reload-keeps-status (35)
// Rule: screen/later-reload-changes-status (36); screen/reload-resolves-unknown-outcome (37)
// Rule: screen/status-is-always-consistent (38)
/// The invariants of ``InterleavingTests`` with an HTTP cache below the screens.
///
/// For every order of taps, responses, revalidations and screens that open with a cached value, each
/// screen shows the last confirmed status with the pending edits on top.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct CachedInterleavingTests {
    @Test func `every order of a tap, a reload and an opening, over a cache`() async {
        let rules = Race.Rules(isCached: true, openings: 1, taps: 1, reloads: 1, losses: true)

        let runs = await everyRun(of: rules)

        #expect(runs.count > 200 && runs.confirmations > 0 && runs.opened > 0)
    }

    @Test func `every order of a tap, two reloads and an opening, over a cache`() async {
        let rules = Race.Rules(isCached: true, openings: 1, taps: 1, reloads: 2, refusals: false)

        let runs = await everyRun(of: rules)

        #expect(runs.count > 200 && runs.opened > 0)
    }

    @Test func `every order of two taps and a reload, over a cache`() async {
        let rules = Race.Rules(isCached: true, taps: 2, reloads: 1)

        let runs = await everyRun(of: rules)

        #expect(runs.count > 504)
    }

    @Test func `hundreds of random orders of more, over a cache`() async {
        for seed in 1...UInt64(300) {
            var choices = SeededChoice(seed: seed)
            let race = Race(
                Race.Rules(
                    isCached: true,
                    openings: choices.choose(of: 3),
                    screens: 1 + choices.choose(of: 2),
                    taps: 1 + choices.choose(of: 4),
                    reloads: 1 + choices.choose(of: 4),
                    losses: choices.choose(of: 4) == 0
                )
            )

            let verdict = await race.run(&choices)

            #expect(verdict.isGood, "seed \(seed): \(verdict) after \(race.steps)")
        }
    }

    private func everyRun(
        of rules: Race.Rules
    ) async -> (count: Int, confirmations: Int, opened: Int) {
        var choices = EveryChoice()
        var (count, flickers, wrong, confirmations, opened) = (0, 0, 0, 0, 0)
        repeat {
            let race = Race(rules)
            let verdict = await race.run(&choices)
            count += 1
            flickers += verdict.flickers
            wrong += verdict.isGood ? 0 : 1
            confirmations += race.confirmations
            opened += race.opened
            if !verdict.isGood { Issue.record("\(verdict) after \(race.steps)") }
        } while choices.next() && !choices.hasStrayed && wrong < 10 && count < mostOrders
        #expect(flickers == 0 && wrong == 0 && !choices.hasStrayed)
        print(
            "cached: \(count) orders, \(confirmations) confirmations, \(opened) openings, "
                + "\(flickers) flickers, \(wrong) wrong"
        )
        return (count, confirmations, opened)
    }

    #if THREAD_SANITIZER
    // Ten times slower, it looks for races in some of them.
    private let mostOrders = 601
    #elseif DEBUG
    // The release tests run all of them.
    private let mostOrders = 841
    #else
    private let mostOrders = Int.max
    #endif
}
