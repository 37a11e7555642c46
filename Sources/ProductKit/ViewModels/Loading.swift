/// An action that loads a value.
///
/// It is `nonisolated(nonsending) () async throws -> Value`: any closure without parameters that
/// returns the value, such as `{ try await loader.loadProduct(withID: id) }`. It starts on the
/// caller's actor.
public typealias Loading<Value> = nonisolated(nonsending) () async throws -> Value

/// An action that does something with a value.
///
/// It is `nonisolated(nonsending) (Value) async throws -> Void`, such as
/// `{ list in added.append(list) }`.
public typealias AsyncAction<Value> = nonisolated(nonsending) (Value) async throws -> Void

/// An action that does something with a value and returns the result, such as the product after an edit.
///
/// It is `nonisolated(nonsending) (Input) async throws -> Value`, such as
/// `{ isFavorite in Product(id: id, name: name, isFavorite: isFavorite) }`.
public typealias Updating<Input, Value> = nonisolated(nonsending) (Input) async throws -> Value

/// An action that loads a page of the products that match a query.
///
/// It is `nonisolated(nonsending) (ProductQuery, PageCursor?) async throws -> Page<Product>`, such
/// as `{ query, cursor in Page([boots]) }`. The cursor is `nil` for the first page.
public typealias PageLoading =
    nonisolated(nonsending) (ProductQuery, PageCursor?) async throws -> Page<Product>
