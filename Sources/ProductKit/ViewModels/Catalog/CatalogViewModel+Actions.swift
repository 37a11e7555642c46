extension CatalogViewModel {
    /// The operations of a catalog screen, as closures.
    ///
    /// ```swift
    /// let live = CatalogViewModel.Actions(loader: loader)
    /// let test = CatalogViewModel.Actions.only(loadPage: { _, _ in Page([boots]) })
    /// ```
    ///
    /// The closures must not call their own view model; see ``ProductViewModel/Actions``.
    public struct Actions {
        /// Loads the page of a query at a cursor, which is `nil` for the first page.
        public var loadPage: PageLoading
        /// Waits for the debounce interval of a search.
        public var sleep: AsyncAction<Duration>

        /// Creates actions from closures; `sleep` is `Task.sleep` by default.
        public init(
            loadPage: @escaping PageLoading,
            sleep: @escaping AsyncAction<Duration> = { try await Task.sleep(for: $0) }
        ) {
            self.loadPage = loadPage
            self.sleep = sleep
        }
    }
}

@available(*, unavailable)
extension CatalogViewModel.Actions: Sendable {}

extension CatalogViewModel.Actions {
    /// Creates the live actions of a catalog.
    ///
    /// - Parameters:
    ///   - loader: The service that loads the pages.
    ///   - effects: The clock for the debounce interval of a search.
    public init(loader: ProductLoader, effects: SystemEffects = SystemEffects()) {
        self.init(
            loadPage: { query, cursor in
                try await loader.products(matching: query, after: cursor)
            },
            sleep: effects.sleep
        )
    }

    /// Creates actions of which only some are provided.
    ///
    /// A missing `loadPage` throws ``UnimplementedAction`` with its name. A missing `sleep` returns
    /// at once.
    public static func only(
        loadPage: PageLoading? = nil,
        sleep: AsyncAction<Duration>? = nil,
        otherwise: @escaping (UnimplementedAction) -> Void = { _ in },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> CatalogViewModel.Actions {
        let missing = UnimplementedAction.reporting(to: otherwise, file: file, line: line)
        return CatalogViewModel.Actions(
            loadPage: loadPage ?? { _, _ in throw missing("loadPage") },
            sleep: sleep ?? { _ in }
        )
    }
}
