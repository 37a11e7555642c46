public import Foundation

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

/// An action was called that the test or preview did not give.
public struct UnimplementedAction: LocalizedError, Hashable {
    /// The action, by its label, such as `reload`.
    public let name: String
    /// The file in which the actions were made, with its module.
    public let file: String
    /// The line on which the actions were made.
    public let line: UInt

    /// Creates the error for an action.
    ///
    /// - Parameters:
    ///   - name: The action, by its label.
    ///   - file: The file in which the actions were made.
    ///   - line: The line on which the actions were made.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        self.name = name
        self.file = file.description
        self.line = line
    }

    /// What was called, where it was left out, and what to do.
    public var errorDescription: String? {
        "“\(name)” was called but not given; give it where the actions were made, at \(file):\(line)."
    }
}
