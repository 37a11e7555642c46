import ProductKit

extension ListRace {
    /// What the screens may believe and must say from now on.
    func learn(_ outcome: Result<Bool, any Error>, from call: Call) {
        let caller = callers[call.caller]
        guard isWanted(call) else {
            callers[call.caller].expected = .cancellation
            return
        }
        switch (outcome, caller.kind) {
        case (.failure, let kind):
            callers[call.caller].expected = .refusal
            if kind == .sleep { (failure, self.outcome, searching) = (.search, .failed, nil) }
            if kind == .page { failure = .nextPage }
        case (.success(let isFavorite), .tap):
            callers[call.caller].expected = .success
            (confirmed, confirmedAt) = (isFavorite, steps.count)
        case (.success(let isFavorite), let kind):
            callers[call.caller].expected = .success
            if call.askedAt > confirmedAt { (confirmed, confirmedAt) = (isFavorite, call.askedAt) }
            if kind == .page {
                shown.pages += 1
                if failure == .nextPage { failure = nil }
            } else {
                showList(of: caller.query)
            }
        }
    }

    /// Whether an answer to a call still belongs to what is shown or asked for.
    func isWanted(_ call: Call) -> Bool {
        switch callers[call.caller].kind {
        case .sleep: call.caller == searching
        case .page: call.list == shown.list
        case .tap: true
        }
    }

    private func showList(of query: ProductQuery) {
        shown = (query, 1, shown.list + 1)
        (failure, outcome, searching) = (nil, .loaded, nil)
        // A page that only waited is given up.
        for index in callers.indices where callers[index].kind == .page {
            let isAsked = calls.contains { $0.caller == index }
            if callers[index].end == nil, !isAsked { callers[index].expected = .cancellation }
        }
    }

    /// Lets everything that a step has set off get as far as it can.
    ///
    /// The bound ends only runs that go wrong: where somebody waits, and nobody is being served.
    func rest() async {
        for _ in 0..<300_000 {
            guard !isAtRest else { return }
            await Task.yield()
        }
        verdict.isStuck = true
    }

    private var isAtRest: Bool {
        callers.indices.allSatisfy { index in
            let caller = callers[index]
            if caller.end != nil { return true }
            if caller.expected != nil { return false }
            return calls.contains { $0.caller == index }
                || caller.kind == .page && searching != nil
        }
    }

    func judgeMoment() {
        let others = (ListRace.others[shown.query] ?? []).prefix(shown.pages)
        let isRight =
            list.ids == [Product.boots.id] + others && list.query == shown.query
            && list.hasNextPage == (shown.pages == 1)
        if !isRight { verdict.rows += 1 }

        let pending = callers.first { $0.kind == .tap && $0.end == nil }?.wish
        let stars = [screen.isFavorite] + list.rows.prefix(1).map(\.isFavorite)
        if stars.contains(where: { $0 != pending ?? confirmed }) { verdict.flickers += 1 }

        let isLoadingNextPage = calls.contains {
            callers[$0.caller].kind == .page && $0.list == shown.list
        }
        let saysSo =
            list.lastError?.kind == failure && list.isSearching == (searching != nil)
            && list.phase == (searching == nil ? outcome : .loading)
            && list.isLoadingNextPage == isLoadingNextPage
        if !saysSo { verdict.errors += 1 }
    }

    func judgeEnd() {
        verdict.ends = callers.count {
            $0.end == nil || $0.expected != nil && $0.end != $0.expected
        }
        verdict.isLost = serverFavorite != screen.isFavorite
    }
}
