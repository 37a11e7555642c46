import Observation

/// Whether one list contains one product, shared by all screens of the product.
///
/// Each list has its own observable object, so a view that reads one membership is not updated when
/// another one changes. Two memberships are equal if they are the same object.
@MainActor @Observable
final class ListMembership {
    /// The list.
    let listID: ProductList.ID
    /// Whether to show the product as part of the list: the last pending edit, or else the server's
    /// value.
    private(set) var containsProduct = false
    /// The server's value and the pending edits.
    @ObservationIgnored private(set) var flag = OptimisticFlag(false)

    /// Creates a membership that is not known yet, shown as `false`.
    init(in listID: ProductList.ID) {
        self.listID = listID
    }

    /// Changes the flag, and notifies observers if this changes the value to display.
    func update<Value>(_ change: (inout OptimisticFlag) -> Value) -> Value {
        defer { if flag.displayed != containsProduct { containsProduct = flag.displayed } }
        return change(&flag)
    }
}

extension ListMembership: nonisolated Hashable {
    nonisolated static func == (one: ListMembership, other: ListMembership) -> Bool {
        one === other
    }

    nonisolated func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
