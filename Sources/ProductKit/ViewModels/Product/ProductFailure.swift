/// The failure that a screen of a product shows.
///
/// “Not found” is shown until a later result, of whichever screen or page, restores the product.
@MainActor
struct ProductFailure {
    private let failure: ViewModelFailure?
    private let isDeletion: Bool

    /// Creates the failure of a screen of a record, or no failure.
    init(_ failure: ViewModelFailure?, of record: ProductRecord) {
        self.failure = failure
        isDeletion = failure.map { record.isDeleted(accordingTo: $0.underlying) } ?? false
    }

    /// The failure to show now on a screen of a record, if any.
    func current(for record: ProductRecord) -> ViewModelFailure? {
        isDeletion && !record.isDeleted ? nil : failure
    }
}

extension ProductRecord {
    /// Whether an error is “not found” for this product, which no later result has contradicted.
    func isDeleted(accordingTo error: any Error) -> Bool {
        if case ProductError.notFound(id) = error { isDeleted } else { false }
    }
}
