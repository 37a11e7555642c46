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
