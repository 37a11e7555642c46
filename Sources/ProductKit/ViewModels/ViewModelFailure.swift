public import Foundation

/// An error of a view model, with the operation that failed.
///
/// Show its `localizedDescription`, and choose by ``kind-swift.property`` what a retry button does.
public struct ViewModelFailure: LocalizedError {
    /// The operations of all view models.
    public enum Kind: Hashable, Sendable {
        /// A reload of a product, or of the user's lists.
        case reload
        /// A change of the favorite status.
        case toggleFavorite
        /// Adding the product to a list.
        case addToList
        /// A search of the catalog.
        case search
        /// A refresh of the catalog.
        case refresh
        /// Loading the next page of the catalog.
        case nextPage
        /// Creating a list.
        case createList
        /// Adding the product to this list, or removing it.
        ///
        /// It is also the kind of a saved edit of this list that the server has refused, on all
        /// screens of the product. So a retry button knows the list.
        case toggleMembership(ProductList.ID)
        /// Sending all changes that wait in an outbox.
        case sendChanges
        /// Discarding a change that waits in an outbox.
        case discardChange
        /// Dismissing the rejection of a change.
        case dismissRejection
        /// Sending a change again that was refused.
        case resendChange
    }

    /// The operation that failed.
    public let kind: Kind
    /// The error that the operation threw.
    public let underlying: any Error

    /// The description of the underlying error.
    public var errorDescription: String? { underlying.localizedDescription }
}

extension ViewModelFailure {
    /// Returns the error to throw for the error of an action.
    ///
    /// It is `CancellationError` if the task was cancelled. If an action throws `CancellationError`
    /// although the task was not cancelled, its request was: the result is an error to show.
    static func cause(_ error: any Error) -> any Error {
        if Task.isCancelled { return CancellationError() }
        guard error is CancellationError else { return error }
        return NetworkError(
            .connectionLost,
            underlying: error,
            reason: "The request was cancelled before a response arrived. Try again."
        )
    }
}

/// A view model that stores its last failure for the screen.
@MainActor
protocol FailureStoring: AnyObject {
    /// The failure to show.
    var lastError: ViewModelFailure? { get set }
    /// The failure of an operation of this view model, without those that all screens share.
    var ownFailure: ViewModelFailure? { get set }
}

extension FailureStoring {
    /// The failure to show, for a view model that shares none.
    var ownFailure: ViewModelFailure? {
        get { lastError }
        set { lastError = newValue }
    }

    /// Performs an operation, stores its failure, and removes an earlier one of the same kind when
    /// it succeeds.
    func perform<Value>(
        _ kind: ViewModelFailure.Kind,
        _ operation: () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        do {
            let value = try await operation()
            clearFailure(of: kind)
            return value
        } catch {
            throw storeFailure(error, of: kind)
        }
    }

    /// Performs an edit, which an outbox may save, and stores its failure.
    ///
    /// A confirmed edit removes an earlier failure of the same kind. A saved one removes it only if
    /// the earlier edit could not be saved, because the server may still refuse this one.
    @discardableResult
    func performEdit<Value>(
        _ kind: ViewModelFailure.Kind,
        _ edit: () async throws -> EditOutcome<Value>
    ) async throws -> EditOutcome<Value> {
        try Task.checkCancellation()
        do {
            let outcome = try await edit()
            switch outcome {
            case .confirmed: clearFailure(of: kind)
            case .saved: if ownFailure?.underlying is OutboxError { clearFailure(of: kind) }
            }
            return outcome
        } catch {
            throw storeFailure(error, of: kind)
        }
    }

    /// Stores an error unless it is a cancellation, and returns it.
    func storeFailure(_ error: any Error, of kind: ViewModelFailure.Kind) -> any Error {
        if !(error is CancellationError) {
            ownFailure = ViewModelFailure(kind: kind, underlying: error)
        }
        return error
    }

    /// Removes the failure if it is of this kind.
    func clearFailure(of kind: ViewModelFailure.Kind) {
        if ownFailure?.kind == kind { ownFailure = nil }
    }
}

/// The state of a ``CatalogViewModel`` or a ``ListMembershipViewModel``.
///
/// ```swift
/// .overlay { if list.phase == .loading && list.rows.isEmpty { ProgressView() } }
/// ```
///
/// Only loads of the whole screen count: a reload, a search or a refresh. Edits and next pages
/// leave the phase as it is. A cancelled load restores the phase from before.
public enum LoadingPhase: Hashable, Sendable {
    /// Nothing was loaded yet; the rows are those that the view model was created with, if any.
    case idle
    /// A load is in flight; the rows are those from before.
    case loading
    /// The last load succeeded.
    case loaded
    /// The last load failed; the rows are those from before.
    case failed
}

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
