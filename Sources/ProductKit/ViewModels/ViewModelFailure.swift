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
    ///
    /// A `URLError` has that of the ``NetworkError`` with the same meaning.
    public var errorDescription: String? {
        let error = underlying.urlError.map { NetworkError($0.networkCode, underlying: $0) }
        return (error ?? underlying).localizedDescription
    }
}

extension ViewModelFailure {
    /// Returns the error to throw for the error of an action.
    ///
    /// It is `CancellationError` if the task was cancelled. If an action throws `CancellationError`
    /// although the task was not cancelled, its request was: the result is an error to show.
    package static func cause(_ error: any Error) -> any Error {
        if Task.isCancelled { return CancellationError() }
        guard error is CancellationError else { return error }
        return NetworkError(
            .connectionLost,
            underlying: error,
            reason: "The request was cancelled before a response arrived. Try again."
        )
    }
}
