public import Foundation

extension CatalogViewModel {
    /// Everything that a list screen can ask for, as closures.
    ///
    /// A test gives the closures it cares about, a preview gives canned ones, and the app wires the
    /// live ones:
    ///
    /// ```swift
    /// let live = CatalogViewModel.Actions(loader: loader)
    /// let test = CatalogViewModel.Actions.only(loadPage: { _, _ in Page([boots]) })
    /// ```
    ///
    /// The closures run on the view model's actor and in the caller's task, so a test's closure
    /// reads and changes local variables freely. That is why `Actions` are not `Sendable`: keep a
    /// loader, or a closure that makes the actions, where you need something that is. An action must
    /// not call its own view model; a page inside of a page would wait for itself.
    public struct Actions {
        /// Loads the page of a query that begins at a cursor, the first page for `nil`.
        public var loadPage: PageLoading
        /// Waits while the user may go on typing.
        public var sleep: AsyncAction<Duration>

        /// Creates actions from closures.
        ///
        /// - Parameters:
        ///   - loadPage: Loads the page of a query that begins at a cursor, the first for `nil`.
        ///   - sleep: Waits while the user may go on typing.
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
    /// - Parameter loader: What loads the pages.
    public init(loader: ProductLoader) {
        self.init(loadPage: { query, cursor in
            try await loader.products(matching: query, after: cursor)
        })
    }

    /// Creates the live actions of a catalog straight from the seam.
    ///
    /// - Parameters:
    ///   - baseURL: Where an API lives that speaks `Docs/openapi.yaml`.
    ///   - networking: What carries the requests.
    public init(baseURL: URL, networking: any Networking = .system) {
        self.init(loader: ProductLoader(baseURL: baseURL, networking: networking))
    }
}

extension CatalogViewModel.Actions {
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
    ) -> CatalogViewModel.Actions {
        func refuse(_ name: String) -> UnimplementedAction {
            let error = UnimplementedAction(name, file: file, line: line)
            otherwise(error)
            return error
        }
        return CatalogViewModel.Actions(
            loadPage: loadPage ?? { _, _ in throw refuse("loadPage") },
            sleep: sleep ?? { _ in }
        )
    }
}
