import Observation

/// Whether one list contains one product, shared by all screens of the product.
///
/// Each list has its own observable object, so a view that reads one membership is not updated when
/// another one changes. Two memberships are equal if they are the same object.
@MainActor @Observable
final class ListMembership {
    /// Whether to show the product as part of the list: the last pending edit, else the saved value,
    /// else the server's.
    private(set) var containsProduct = false
    /// Whether an edit of the membership, or of the list itself, is saved and not confirmed.
    private(set) var isUnsent = false
    /// Whether the creation or the name of the list is saved and not confirmed.
    @ObservationIgnored var isListUnsent = false { didSet { updateIsUnsent() } }
    /// The server's value, which is not known at first, the saved value and the pending edits.
    @ObservationIgnored private var flag = OptimisticFlag(false)

    /// Changes the flag, and notifies observers if this changes the value to display.
    func update<Value>(_ change: (inout OptimisticFlag) -> Value) -> Value {
        defer {
            containsProduct = flag.displayed
            updateIsUnsent()
        }
        return change(&flag)
    }

    private func updateIsUnsent() { isUnsent = flag.isUnsent || isListUnsent }
}

extension ListMembership: nonisolated Hashable {
    nonisolated static func == (one: ListMembership, other: ListMembership) -> Bool {
        one === other
    }

    nonisolated func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
