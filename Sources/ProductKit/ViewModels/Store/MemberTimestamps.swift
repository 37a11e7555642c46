/// For each member of a product, when the request started that its value comes from.
///
/// The result of a request is complete, or it is a summary, which contains only some members. Each
/// member is that of the latest request whose result contains it, in whichever order the results
/// arrive. So a complete result may arrive after the summary of a later request: it then provides
/// the members that the summary does not contain.
struct MemberTimestamps {
    /// When the request of the latest complete result started.
    ///
    /// Results of earlier requests are superseded. “Not found” is complete as well.
    private(set) var complete = LogicalTimestamp.distantPast
    /// When the request of the latest complete product started.
    private(set) var product = LogicalTimestamp.distantPast
    /// When the request of the latest result started.
    private(set) var latest = LogicalTimestamp.distantPast
    /// The members from the summaries of later requests, each only once.
    private var summaries: [(members: Product.Members, timestamp: LogicalTimestamp)] = []

    /// Adds a result, unless a complete result of a later request was added; then it returns `nil`.
    ///
    /// Returns the members to take from the result: those that no later result contains.
    mutating func add(
        _ members: Product.Members,
        requestedAt timestamp: LogicalTimestamp,
        isComplete: Bool
    ) -> Product.Members? {
        guard timestamp > complete else { return nil }
        latest = max(latest, timestamp)
        if isComplete { (complete, product) = (timestamp, timestamp) }
        if isComplete, summaries.isEmpty { return members }
        let later = summaries.filter { $0.timestamp >= timestamp }
        let current = later.reduce(members) { $0.subtracting($1.members) }
        let earlier = summaries.filter { $0.timestamp < timestamp }
            .map { ($0.members.subtracting(current), $0.timestamp) }
        summaries = (earlier + later + [(isComplete ? [] : current, timestamp)])
            .filter { !$0.members.isEmpty }
        return current
    }

    /// Adds “not found”, unless a result of a later request was added.
    ///
    /// - Returns: Whether it was added.
    mutating func addNotFound(requestedAt timestamp: LogicalTimestamp) -> Bool {
        guard timestamp > latest else { return false }
        complete = timestamp
        latest = timestamp
        return true
    }
}
