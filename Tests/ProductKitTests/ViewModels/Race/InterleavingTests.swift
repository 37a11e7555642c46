import ProductKit
import Testing

// Rule: screen/status-is-always-consistent (38)
/// For every order of taps, responses, failures and reloads, the screen always shows the last
/// confirmed status with the pending edits on top.
///
/// When nothing is in flight, that is the status on the server.
/// This holds for the favorite status and for the membership in a list.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct InterleavingTests {
    // Rule: screen/status-is-always-consistent (38)
    @Test(arguments: [false, true])
    func `every order of two taps and a reload`(isAboutList: Bool) async {
        let count = await everyRun(
            of: Race.Rules(isAboutList: isAboutList),
            called: "two taps and a reload"
        )

        #expect(count > 504)
    }

    // Rule: screen/status-is-always-consistent (38); screen/screens-share-a-product (49)
    @Test(arguments: [false, true])
    func `every order of taps on two screens and a reload`(isAboutList: Bool) async {
        let rules = Race.Rules(isAboutList: isAboutList, screens: 2)

        let count = await everyRun(of: rules, called: "two screens and a reload")

        #expect(count > 504)
    }

    // Rule: screen/status-is-always-consistent (38); screen/quick-taps-send-the-last (30)
    @Test(arguments: [false, true])
    func `every order of three taps`(isAboutList: Bool) async {
        let rules = Race.Rules(isAboutList: isAboutList, taps: 3, reloads: 0)

        let count = await everyRun(of: rules, called: "three taps")

        #expect(count > 50)
    }

    // Rule: screen/status-is-always-consistent (38); screen/cancel-rolls-back (47)
    @Test(arguments: [false, true])
    func `every order of two taps, of which one is cancelled, and a reload`(isAboutList: Bool) async
    {
        let rules = Race.Rules(
            isAboutList: isAboutList,
            refusals: false,
            cancellations: 1
        )

        let count = await everyRun(of: rules, called: "two taps, a cancellation and a reload")

        #expect(count > 504)
    }

    // Rule: screen/reload-resolves-unknown-outcome (37); screen/status-is-always-consistent (38)
    @Test(arguments: [false, true])
    func `every order of a tap whose answer is lost and a reload`(isAboutList: Bool) async {
        let rules = Race.Rules(isAboutList: isAboutList, taps: 1, losses: true)

        let count = await everyRun(of: rules, called: "a tap, lost answers and a reload")

        #expect(count > 20)
    }

    // Rule: screen/status-is-always-consistent (38)
    @Test(arguments: [false, true])
    func `two thousand random orders of much more`(isAboutList: Bool) async {
        for seed in 1...UInt64(2_000) {
            var choices = SeededChoice(seed: seed)
            var rules = Race.Rules(
                isAboutList: isAboutList,
                screens: 1 + choices.choose(of: 2),
                taps: 1 + choices.choose(of: 7),
                reloads: choices.choose(of: 4),
                refusals: choices.choose(of: 2) == 0,
                cancellations: choices.choose(of: 3),
                losses: choices.choose(of: 4) == 0,
                deletions: choices.choose(of: 4) == 0 ? 2 : 0
            )
            // A product that is gone says nothing of the lists.
            if isAboutList { rules.deletions = 0 }
            let race = Race(rules)

            let verdict = await race.run(&choices)

            #expect(verdict.isGood, "seed \(seed): \(verdict) after \(race.steps)")
        }
    }

    /// Runs every order, and returns how many there were.
    private func everyRun(of rules: Race.Rules, called name: String) async -> Int {
        var choices = EveryChoice()
        var (count, flickers, wrong, lost, told) = (0, 0, 0, 0, 0)
        repeat {
            let race = Race(rules)
            let verdict = await race.run(&choices)
            count += 1
            flickers += verdict.flickers
            wrong += verdict.isWrong ? 1 : 0
            lost += verdict.isLost ? 1 : 0
            if !verdict.isGood, told < 10 {
                told += 1
                Issue.record("\(verdict) after \(race.steps)")
            }
        } while choices.next() && !choices.hasStrayed
        #expect(flickers == 0 && wrong == 0 && lost == 0 && !choices.hasStrayed)
        print(
            "\(rules.isAboutList ? "list" : "star"), \(name): \(count) orders, \(flickers) flickers, \(wrong) wrong, \(lost) lost"
        )
        return count
    }
}
