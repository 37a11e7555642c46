/// A service that calls a closure, for tests, previews and small backends.
///
/// It is always ``Gettable`` and ``Creatable``. If the closure takes and returns the same type, it is
/// also ``Updatable``; if it returns nothing, also ``Deletable``.
///
/// ```swift
/// let products = ClosureService { (id: Product.ID) in Product(id: id, name: "Boots") }
/// let lists = ClosureService { (name: String) in ProductList(id: "7", name: name) }
/// ```
///
/// The closure runs off the caller's actor, and its errors are thrown unchanged. A task that is already
/// cancelled throws `CancellationError` without a call.
public struct ClosureService<Input: Sendable, Value: Sendable>: Gettable, Creatable {
    private let call: @Sendable (Input) async throws -> Value

    /// Creates a service that calls a closure for every input.
    public init(_ call: @escaping @Sendable (Input) async throws -> Value) {
        self.call = call
    }

    /// Calls the closure with an input, and returns its value.
    @concurrent public func get(_ input: Input) async throws -> Value {
        try Task.checkCancellation()
        return try await call(input)
    }

    /// Calls the closure with a draft, and returns its value.
    @concurrent public func create(_ draft: Input) async throws -> Value {
        try await get(draft)
    }
}

extension ClosureService: Updatable where Input == Value {
    /// Calls the closure with a changed value, and returns its value.
    @concurrent public func update(_ value: Value) async throws -> Value {
        try await get(value)
    }
}

extension ClosureService: Deletable where Value == Void {
    /// Calls the closure with the identifier of a value to delete.
    @concurrent public func delete(_ input: Input) async throws {
        try await get(input)
    }
}
