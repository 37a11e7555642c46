import Observation

/// Whether a list holds a product, shared by all screens of the product.
@MainActor @Observable
final class ListMembership {
    /// The list.
    let listID: ProductList.ID
    /// What to show: as the user wants it, else as the server has it.
    private(set) var holdsProduct = false
    /// What is known of it.
    @ObservationIgnored private(set) var flag = Flag(false)

    init(in listID: ProductList.ID) {
        self.listID = listID
    }

    /// Changes what is known, and shows it.
    func update<Value>(_ change: (inout Flag) -> Value) -> Value {
        defer { if flag.shown != holdsProduct { holdsProduct = flag.shown } }
        return change(&flag)
    }
}
