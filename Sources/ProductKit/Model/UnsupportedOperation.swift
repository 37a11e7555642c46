public import Foundation

/// A backend cannot do what was asked of it, so a screen may hide the button.
public struct UnsupportedOperation: LocalizedError, Hashable {
    /// What was asked for, such as `search`.
    public let name: String

    /// Creates the error for an operation.
    ///
    /// - Parameter name: What was asked for, as the closure's label says it.
    public init(_ name: String) {
        self.name = name
    }

    /// One sentence for a person.
    public var errorDescription: String? {
        "This shop does not offer “\(name)”; go on without it."
    }
}
