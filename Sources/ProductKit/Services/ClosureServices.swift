/// A ``Gettable`` service that calls a closure, for tests, previews and small backends.
///
/// ```swift
/// let products = ClosureService { (id: Product.ID) in Product(id: id, name: "Boots") }
/// ```
public struct ClosureService<Input: Sendable, Value: Sendable>: Gettable {
    private let load: @Sendable (Input) async throws -> Value

    /// Creates a service that calls a closure for every input.
    public init(_ load: @escaping @Sendable (Input) async throws -> Value) {
        self.load = load
    }

    /// Calls the closure and returns its value.
    ///
    /// - Parameter input: The input for the closure.
    /// - Returns: The closure's value.
    /// - Throws: The closure's error, unchanged; `CancellationError` if the task is already
    ///   cancelled.
    @concurrent public func get(_ input: Input) async throws -> Value {
        try Task.checkCancellation()
        return try await load(input)
    }
}

/// A ``Creatable`` service that calls a closure, for tests, previews and small backends.
///
/// ```swift
/// let lists = ClosureCreator { (name: String) in ProductList(id: "7", name: name) }
/// ```
public struct ClosureCreator<Draft: Sendable, Value: Sendable>: Creatable {
    private let make: @Sendable (Draft) async throws -> Value

    /// Creates a service that calls a closure for every draft.
    public init(_ make: @escaping @Sendable (Draft) async throws -> Value) {
        self.make = make
    }

    /// Calls the closure and returns its value.
    ///
    /// - Parameter draft: The draft for the closure.
    /// - Returns: The closure's value.
    /// - Throws: The closure's error, unchanged; `CancellationError` if the task is already
    ///   cancelled.
    @concurrent public func create(_ draft: Draft) async throws -> Value {
        try Task.checkCancellation()
        return try await make(draft)
    }
}

/// An ``Updatable`` service that calls a closure, for tests, previews and small backends.
///
/// ```swift
/// let lists = ClosureUpdater { (list: ProductList) in list }
/// ```
public struct ClosureUpdater<Value: Sendable>: Updatable {
    private let store: @Sendable (Value) async throws -> Value

    /// Creates a service that calls a closure for every changed value.
    public init(_ store: @escaping @Sendable (Value) async throws -> Value) {
        self.store = store
    }

    /// Calls the closure and returns its value.
    ///
    /// - Parameter value: The changed value for the closure.
    /// - Returns: The closure's value.
    /// - Throws: The closure's error, unchanged; `CancellationError` if the task is already
    ///   cancelled.
    @concurrent public func update(_ value: Value) async throws -> Value {
        try Task.checkCancellation()
        return try await store(value)
    }
}

/// A ``Deletable`` service that calls a closure, for tests, previews and small backends.
///
/// ```swift
/// let lists = ClosureDeleter { (id: ProductList.ID) in try await shop.delete(id) }
/// ```
public struct ClosureDeleter<Input: Sendable>: Deletable {
    private let remove: @Sendable (Input) async throws -> Void

    /// Creates a service that calls a closure for every input.
    public init(_ remove: @escaping @Sendable (Input) async throws -> Void) {
        self.remove = remove
    }

    /// Calls the closure.
    ///
    /// - Parameter input: The input for the closure.
    /// - Throws: The closure's error, unchanged; `CancellationError` if the task is already
    ///   cancelled.
    @concurrent public func delete(_ input: Input) async throws {
        try Task.checkCancellation()
        try await remove(input)
    }
}
