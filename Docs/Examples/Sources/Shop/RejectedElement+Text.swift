import ProductKit

extension RejectedElement {
    /// Which member was wrong, if it was one, and why.
    var text: String {
        member.isEmpty ? reason : "\(member): \(reason)"
    }
}
