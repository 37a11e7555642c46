extension ProductListViewModel.Actions {
    /// Creates actions of which only some are given; a page that is not throws
    /// ``UnimplementedAction``, which names it, and a sleep that is not never waits.
    ///
    /// - Parameters:
    ///   - loadPage: Loads the page of a query that begins at a cursor, the first for `nil`.
    ///   - sleep: Waits while the user may go on typing.
    ///   - otherwise: Told of a call to an action that was not given, before it throws. Give
    ///     `{ Issue.record($0) }` to fail a test even where the error is swallowed.
    ///   - file: The file to name in the error.
    ///   - line: The line to name in the error.
    /// - Returns: The actions.
    public static func only(
        loadPage: PageLoading? = nil,
        sleep: AsyncAction<Duration>? = nil,
        otherwise: @escaping (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ProductListViewModel.Actions {
        func refuse(_ name: String) -> UnimplementedAction {
            let error = UnimplementedAction(name, file: file, line: line)
            otherwise(error)
            return error
        }
        return ProductListViewModel.Actions(
            loadPage: loadPage ?? { _, _ in throw refuse("loadPage") },
            sleep: sleep ?? { _ in }
        )
    }
}
