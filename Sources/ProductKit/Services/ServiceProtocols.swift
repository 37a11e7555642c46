/// Something that can be asked for a value.
///
/// Ask for the ability and not for the service: a function that takes `some Gettable<Product.ID,
/// Product>` cannot delete anything, and a test gives it a ``ClosureService``.
public protocol Gettable<Input, Value>: Sendable {
    /// What names the value.
    associatedtype Input: Sendable
    /// What is got.
    associatedtype Value: Sendable

    /// Gets the value for an input, away from the caller's actor.
    @concurrent func get(_ input: Input) async throws -> Value
}

/// Something that can make a new value.
public protocol Creatable<Draft, Value>: Sendable {
    /// What the new value is made from.
    associatedtype Draft: Sendable
    /// What is made.
    associatedtype Value: Sendable

    /// Creates a value from a draft, away from the caller's actor, and returns what was made.
    @concurrent func create(_ draft: Draft) async throws -> Value
}

/// Something that can store a changed value.
public protocol Updatable<Value>: Sendable {
    /// What is changed.
    associatedtype Value: Sendable

    /// Stores a changed value, away from the caller's actor, and returns what it is now.
    @concurrent func update(_ value: Value) async throws -> Value
}

/// Something that can remove a value.
public protocol Deletable<Input>: Sendable {
    /// What names the value.
    associatedtype Input: Sendable

    /// Removes the value for an input, away from the caller's actor; its absence is success.
    @concurrent func delete(_ input: Input) async throws
}

/// A service made from a closure, for anything that can be got.
///
/// ```swift
/// let products = ClosureService { (id: Product.ID) in Product(id: id, name: "Boots") }
/// ```
public struct ClosureService<Input: Sendable, Value: Sendable>: Gettable {
    private let load: @Sendable (Input) async throws -> Value

    /// Creates a service that asks a closure.
    public init(_ load: @escaping @Sendable (Input) async throws -> Value) {
        self.load = load
    }

    /// Asks the closure.
    @concurrent public func get(_ input: Input) async throws -> Value {
        // Without work of its own before the closure, the method would stay on the caller's actor.
        try Task.checkCancellation()
        return try await load(input)
    }
}
