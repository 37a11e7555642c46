/// The outcome of an edit that has not failed.
///
/// In a test, an action that returns ``saved`` has saved the edit:
///
/// ```swift
/// actions.toggleFavorite = { _ in .saved }
/// ```
public enum EditOutcome<Value> {
    /// The server has carried out the edit, with this response.
    case confirmed(Value)
    /// An ``Outbox`` has saved the edit on this device, and sends it when the server can be reached.
    case saved
}

extension EditOutcome: Sendable where Value: Sendable {}
extension EditOutcome: Equatable where Value: Equatable {}
extension EditOutcome: Hashable where Value: Hashable {}

extension EditOutcome {
    /// The response of the server; `nil` if the edit is saved.
    var confirmation: Value? {
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
