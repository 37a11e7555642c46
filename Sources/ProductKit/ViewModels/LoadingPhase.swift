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
