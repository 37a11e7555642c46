/// Does the whole of a turn away from the main actor, so that the way there hardly counts.
@concurrent func away(_ body: @Sendable () async throws -> Void) async throws {
    try await body()
}
