/// A service that returns a value for an input, such as a product for its identifier.
///
/// This protocol, ``Creatable``, ``Updatable`` and ``Deletable`` have one method each. A function that takes
/// `some Gettable<Product.ID, Product>` can load products and cannot delete anything. Pass it a ``ProductLoader`` in the
/// app and a ``ClosureService`` in a test. A function that needs several abilities of a list gets a ``ListManager`` in a
/// test as well; see ``ListManager/only(addProduct:removeProduct:lists:list:create:rename:delete:otherwise:file:line:)``.
///
/// If your implementation only calls a stored closure, call `Task.checkCancellation()` first, as ``ProductLoader``,
/// ``ListManager`` and ``ClosureService`` do. A cancelled task then starts no work, and the closure runs off the caller's
/// actor: without code of its own before the closure, the compiler removes the switch away from that actor as unnecessary.
public protocol Gettable<Input, Value>: Sendable {
    /// The type that identifies a value.
    associatedtype Input: Sendable
    /// The type of the returned value.
    associatedtype Value: Sendable

    /// Returns the value for an input, off the caller's actor.
    @concurrent func get(_ input: Input) async throws -> Value
}

extension Gettable where Input == Void {
    /// Returns the value of a service that needs no input, off the caller's actor.
    @concurrent public func get() async throws -> Value {
        try await get(())
    }
}

/// A service that creates values, such as a list from its name.
public protocol Creatable<CreationDraft, Value>: Sendable {
    /// The type that describes the value to create.
    associatedtype CreationDraft: Sendable
    /// The type of the created value.
    associatedtype Value: Sendable

    /// Creates a value from a draft, off the caller's actor, and returns it.
    @concurrent func create(_ draft: CreationDraft) async throws -> Value
}

/// A service that stores changed values, such as a renamed list.
public protocol Updatable<Value>: Sendable {
    /// The type of the changed value.
    associatedtype Value: Sendable

    /// Stores a changed value, off the caller's actor, and returns it as stored.
    @concurrent func update(_ value: Value) async throws -> Value
}

/// A service that deletes values, such as a list by its identifier.
public protocol Deletable<Input>: Sendable {
    /// The type that identifies a value.
    associatedtype Input: Sendable

    /// Deletes the value for an input, off the caller's actor.
    ///
    /// Deleting a value that does not exist succeeds.
    @concurrent func delete(_ input: Input) async throws
}
