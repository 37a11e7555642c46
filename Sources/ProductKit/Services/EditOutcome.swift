/// The outcome of an edit that did not fail: confirmed by the server, or saved for later.
///
/// An action of a test returns one as well:
///
/// ```swift
/// actions.toggleFavorite = { _ in .saved }
/// actions.addToList = { _ in .confirmed(()) }
/// ```
public enum EditOutcome<Value> {
    /// The server has carried out the edit, with this response.
    case confirmed(Value)
    /// An ``Outbox`` has saved the edit on this device, and sends it when the server can be reached.
    case saved

    /// The response of the server; `nil` if the edit is saved.
    package var confirmation: Value? {
        if case .confirmed(let value) = self { value } else { nil }
    }

    /// Returns the outcome with another response.
    func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> EditOutcome<NewValue> {
        switch self {
        case .confirmed(let value): .confirmed(try transform(value))
        case .saved: .saved
        }
    }
}

extension EditOutcome: Sendable where Value: Sendable {}
extension EditOutcome: Equatable where Value: Equatable {}
extension EditOutcome: Hashable where Value: Hashable {}
