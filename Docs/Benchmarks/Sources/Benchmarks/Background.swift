/// Work that runs away from the main actor.
enum Background {
    /// Runs a whole round on the global executor, so that the change of the executor hardly counts.
    @concurrent static func run(_ body: @Sendable () async throws -> Void) async throws {
        try await body()
    }
}
