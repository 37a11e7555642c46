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
