/// An effect that brings a value, on the caller's actor until it decides to leave.
///
/// It is `nonisolated(nonsending) () async throws -> Value`: any `{ … }` that takes nothing and returns
/// the value, such as `{ try await loader.loadProduct(withID: id) }`.
public typealias Loading<Value> = nonisolated(nonsending) () async throws -> Value

/// An effect that does something with a value.
///
/// It is `nonisolated(nonsending) (Value) async throws -> Void`, such as `{ list in added.append(list) }`.
public typealias AsyncAction<Value> = nonisolated(nonsending) (Value) async throws -> Void

/// An effect that asks for a state and brings what it led to.
///
/// It is `nonisolated(nonsending) (Input) async throws -> Value`, such as
/// `{ isFavorite in Product(id: id, name: name, isFavorite: isFavorite) }`.
public typealias Updating<Input, Value> = nonisolated(nonsending) (Input) async throws -> Value

/// An effect that brings the page of a query that begins at a cursor, the first page for `nil`.
///
/// It is `nonisolated(nonsending) (ProductQuery, PageCursor?) async throws -> Page<Product>`, such as
/// `{ query, cursor in Page([boots]) }`.
public typealias PageLoading =
    nonisolated(nonsending) (ProductQuery, PageCursor?) async throws -> Page<Product>

extension Gettable {
    /// The effect of getting the value for one input, for a view model.
    ///
    /// ```swift
    /// let reload = loader.loading("walking-boots")
    /// ```
    ///
    /// - Parameter input: What names the value.
    /// - Returns: A closure that asks this service each time it is called.
    public func loading(_ input: Input) -> Loading<Value> {
        { try await get(input) }
    }
}
