import ProductKit

extension Race {
    /// Lets everything that a step has set off get as far as it can.
    ///
    /// The bound ends only runs that go wrong: where somebody waits, and nobody is being served.
    func rest(after step: Step) async {
        for _ in 0..<300_000 {
            guard !isAtRest(after: step) else { return }
            await Task.yield()
        }
        verdict.isStuck = true
    }

    private func isAtRest(after step: Step) -> Bool {
        switch step {
        case .answer where answered.map { taps[$0].hasSucceeded == nil } == true: return false
        case .cancel(let index) where taps[index].hasSucceeded == nil: return false
        default: break
        }
        let reloads = calls.count { $0.wish == nil }
        let edits = calls.count - reloads
        return reloadsRunning == reloads
            && (edits > 0 || taps.allSatisfy { $0.hasSucceeded != nil })
    }

    func judgeMoment() {
        let pending = taps.last { $0.hasSucceeded == nil }?.wish
        if screens.contains(where: { $0.isOn() != pending ?? confirmed }) {
            verdict.flickers += 1
        }
    }

    func judgeEnd() async {
        if isServersStateUnknown {
            // An answer was lost: only the server can tell, so the screen asks, as a user would.
            rules.reloads = 1
            for step in [Step.reload, .carryOut(lastCall + 1), .answer(lastCall + 1)] {
                steps.append(step)
                await take(step)
                await rest(after: step)
            }
        } else {
            let promise = taps.lastIndex { $0.hasSucceeded == true }
            let promised = promise.map { taps[$0].wish } ?? false
            // Behind a cancelled call even a tap that changes nothing is sent, and may be refused;
            // whoever gave way to it was content all the same.
            let later = taps.suffix(from: promise.map { $0 + 1 } ?? 0)
            let hasGivenWay = isInDoubt && later.contains { $0.wish == server?.isFavorite }
            verdict.isLost = server?.isFavorite != promised && !hasGivenWay
        }
        verdict.isWrong = screens.contains { screen in
            guard let server else { return !screen.isDeleted() }
            return screen.isOn() != server.isFavorite
        }
        if taps.contains(where: { $0.hasSucceeded == nil }) || !calls.isEmpty {
            verdict.isWrong = true
        }
    }
}
