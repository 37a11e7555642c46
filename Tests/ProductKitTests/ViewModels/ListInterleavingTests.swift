import ProductKit
import Testing

/// List rules 8, 9, 10, 19, 22, 23, 24, 46, 48 and 50, in every order: rows always belong to the
/// query shown, no star flickers, nothing is lost, and errors are the newest one's only.
@MainActor @Suite(.serialized, .timeLimit(.minutes(1)))
struct ListInterleavingTests {
    // List rules 8, 9, 10, 22, 23, 24, 46, 48 and 50
    @Test func `every order of a search, one that overtakes it, a next page and a tap`() async {
        let count = await everyRun(of: ListRace.Rules(), called: "two searches, a page and a tap")

        #expect(count > 10_000)
    }

    // List rules 2, 7, 23 and 24
    @Test func `every order of searches that rest and a next page`() async {
        let rules = ListRace.Rules(taps: 0, rests: true)

        let count = await everyRun(of: rules, called: "two resting searches and a page")

        #expect(count > 500)
    }

    /// Runs every order, and returns how many there were.
    private func everyRun(of rules: ListRace.Rules, called name: String) async -> Int {
        var choices = EveryChoice()
        var (count, bad) = (0, 0)
        var sum = ListRace.Verdict()
        repeat {
            let race = ListRace(rules)
            let verdict = await race.run(&choices)
            count += 1
            sum.rows += verdict.rows
            sum.flickers += verdict.flickers
            sum.errors += verdict.errors
            if !verdict.isGood {
                bad += 1
                if bad <= 5 { Issue.record("\(verdict) after \(race.steps)") }
            }
        } while choices.next() && !choices.hasStrayed && bad < 100
        #expect(bad == 0 && !choices.hasStrayed)
        let found = "\(sum.rows) wrong rows, \(sum.flickers) flickers, \(sum.errors) wrong errors"
        print("\(name): \(count) orders, \(found)")
        return count
    }
}
