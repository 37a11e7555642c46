extension Page {
    /// Returns a page with the results of an asynchronous closure, which runs for several elements at once.
    ///
    /// It composes each element of several responses, such as a product and its price:
    ///
    /// ```swift
    /// let page = try await rows.concurrentMap { row in
    ///     try await row.product(price: shop.price(of: row.id))
    /// }
    /// ```
    ///
    /// The elements keep their order. An element for which `transform` throws is added to ``rejected``, as with
    /// ``map(_:)``. If no element could be converted, the first error is thrown, in the order of the elements.
    /// Errors with the case or code `notFound` do not count: if there are no others, the page is empty.
    ///
    /// Inside of a closure of a ``ProductLoader`` or ``ListManager``, the requests of `transform` count for the source
    /// of the result. Elsewhere the source stays that of this page.
    ///
    /// - Parameters:
    ///   - maximumConcurrency: The number of elements for which `transform` runs at the same time, at least 1.
    ///   - transform: A closure that converts an element, in a task of its own.
    /// - Returns: A page with the same ``next``, ``total`` and ``source``.
    /// - Throws: `CancellationError` if the task is cancelled or `transform` throws it; the error of
    ///   `transform` if the user has signed out. Both cancel the other calls, and end the work.
    @concurrent public func concurrentMap<NewElement: Sendable>(
        maximumConcurrency: Int = 4,
        _ transform: @escaping @Sendable (Element) async throws -> NewElement
    ) async throws -> Page<NewElement> where Element: Sendable {
        try Task.checkCancellation()
        typealias Outcome = (position: Int, result: Result<NewElement, any Error>)
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            var outcomes: [Outcome] = []
            for (position, item) in items.enumerated() {
                if position >= maximumConcurrency, let outcome = try await group.next() {
                    outcomes.append(outcome)
                }
                try Task.checkCancellation()
                group.addTask {
                    do { return (position, .success(try await transform(item))) } catch {
                        if error is CancellationError || Task.isCancelled {
                            throw CancellationError()
                        }
                        if error.endsSession { throw error }
                        return (position, .failure(error))
                    }
                }
            }
            for try await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.position < $1.position }
        }
        let page = page(of: outcomes.map(\.result))
        if page.items.isEmpty {
            for case (_, .failure(let error)) in outcomes where !error.isNotFound { throw error }
        }
        return page
    }
}
