extension ProductListViewModel {
    /// A search or a refresh on its way, which will replace the list.
    struct Reading {
        let question: ProductStore.Question
        let kind: Failure.Kind
        let query: ProductQuery
        let turn: Turn<ProductStore.Question>
    }

    /// Whether there is a list, if an empty one, of whoever is signed in.
    var isShowingList: Bool { listing.pageCount > 0 && store.isCurrent(listing.question) }

    /// Reads a list from its beginning, and shows it when it is complete.
    func read(_ reading: Reading) async throws {
        if let overtaken = self.reading { end(overtaken) }
        self.reading = reading
        store.pagesOnTheirWay += 1
        defer {
            store.pagesOnTheirWay -= 1
            end(reading)
        }
        do {
            if reading.kind == .search, !reading.query.text.isEmpty {
                try await actions.sleep(debounce)
            }
            let isRepeated = reading.kind == .refresh && reading.query == query
            let pageCount = isRepeated ? listing.pageCount : 1
            var listing = ProductListing(of: reading.query, from: reading.question)
            var answers: [ProductStore.Answer] = []
            var products: [Product.ID] = []
            repeat {
                guard isWanted(reading) else { throw CancellationError() }
                let answer = try await ask(for: listing)
                guard isWanted(reading) else { throw CancellationError() }
                answers.append(answer)
                products += listing.append(answer.page)
                // What stands in for a list that the server has confirmed is no newer than it.
                if isRepeated, isShowingList, self.listing.source.isConfirmed,
                    let failure = listing.source.failure
                {
                    throw failure
                }
            } while listing.next != nil
                && (listing.pageCount < pageCount || products.isEmpty && answers.count < 10)
            show(listing, rows: rows(of: products, from: answers))
        } catch {
            guard isWanted(reading), !isCancellation(error) else { throw CancellationError() }
            outcome = .failed
            failedQuery = reading.query
            throw keep(error, of: reading.kind)
        }
    }

    /// Reads on in the list shown, until there is something new or for ten pages.
    func readOn(in list: ProductStore.Question) async throws {
        isLoadingNextPage = true
        defer { if listing.question == list { isLoadingNextPage = false } }
        do {
            for _ in 1...10 {
                store.pagesOnTheirWay += 1
                defer { store.pagesOnTheirWay -= 1 }
                let answer = try await ask(for: listing)
                guard isWanted(list) else { throw CancellationError() }
                let newRows = rows(of: listing.append(answer.page), from: [answer])
                if !newRows.isEmpty { rows += newRows }
                showListing()
                guard newRows.isEmpty, hasNextPage else { break }
            }
        } catch {
            guard isWanted(list), !isCancellation(error) else { throw CancellationError() }
            throw keep(error, of: .nextPage)
        }
        lastGrowth = store.ask()
        if lastError?.kind == .nextPage { lastError = nil }
    }

    /// Waits until no search is on its way and nobody else reads in what is shown.
    func takeTurn() async throws -> Turn<ProductStore.Question> {
        while true {
            let line = line
            let turn = try await store.turns.take(line)
            // Something else may be shown by now, or on its way.
            if line == self.line { return turn }
            turn.end()
        }
    }

    /// Ends whatever would bring other rows.
    func overtake() {
        guard let reading, reading.kind == .search || reading.query != query else { return }
        end(reading)
    }
}

extension ProductListViewModel {
    /// Asks for the page with which a list begins or goes on.
    private func ask(for listing: ProductListing) async throws -> ProductStore.Answer {
        try Task.checkCancellation()
        let question = store.ask()
        let page = try await actions.loadPage(listing.query, listing.next)
        return ProductStore.Answer(page: page, question: question)
    }

    private func rows(
        of products: [Product.ID],
        from answers: [ProductStore.Answer]
    ) -> [ProductRow] {
        let records = store.learn(answers)
        return products.compactMap { records[$0] }.map { ProductRow(record: $0, viewer: viewer) }
    }

    private func show(_ listing: ProductListing, rows: [ProductRow]) {
        self.listing = listing
        set(\.rows, rows)
        showListing()
        set(\.isLoadingNextPage, false)
        set(\.outcome, .loaded)
        set(\.failedQuery, nil)
        if lastError != nil { lastError = nil }
        lastRead = store.ask()
    }

    private func showListing() {
        set(\.query, listing.query)
        set(\.hasNextPage, listing.next != nil)
        set(\.total, listing.total)
        set(\.source, listing.source)
        set(\.rejected, listing.rejected)
    }

    /// Where to wait: behind whoever searches, else behind whoever reads in the list shown.
    private var line: ProductStore.Question {
        guard let reading, reading.kind == .search, store.isCurrent(reading.question) else {
            return listing.question
        }
        return reading.question
    }

    /// Ends a reading, unless another one has ended it.
    private func end(_ reading: Reading) {
        guard self.reading?.question == reading.question else { return }
        self.reading = nil
        reading.turn.end()
    }

    private func isWanted(_ reading: Reading) -> Bool {
        self.reading?.question == reading.question && store.isCurrent(reading.question)
    }

    private func isWanted(_ list: ProductStore.Question) -> Bool {
        listing.question == list && store.isCurrent(list)
    }

    private func isCancellation(_ error: any Error) -> Bool {
        Task.isCancelled || error is CancellationError
    }

    private func keep(_ error: any Error, of kind: Failure.Kind) -> any Error {
        lastError = Failure(kind: kind, underlying: error)
        return error
    }

    private func set<Value: Equatable>(
        _ member: ReferenceWritableKeyPath<ProductListViewModel, Value>,
        _ value: Value
    ) {
        if self[keyPath: member] != value { self[keyPath: member] = value }
    }
}
