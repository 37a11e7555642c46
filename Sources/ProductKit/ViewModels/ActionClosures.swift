/// An action that loads a value.
///
/// An example is `{ try await loader.loadProduct(withID: id) }`. It starts on the caller's actor, like all actions.
public typealias Loading<Value> = nonisolated(nonsending) () async throws -> Value

/// An action that does something with a value.
///
/// An example is `{ list in added.append(list) }`.
public typealias AsyncAction<Value> = nonisolated(nonsending) (Value) async throws -> Void

/// An action that does something with a value and returns the result, such as the product after an edit.
///
/// An example is `{ isFavorite in Product(id: id, name: name, isFavorite: isFavorite) }`.
public typealias Updating<Input, Value> = nonisolated(nonsending) (Input) async throws -> Value

/// An action that loads a page of the products that match a query.
///
/// An example is `{ query, cursor in Page([boots]) }`. The cursor is `nil` for the first page.
public typealias PageLoading =
    nonisolated(nonsending) (ProductQuery, PageCursor?) async throws -> Page<Product>
