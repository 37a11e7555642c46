/// Something whose cost is known and must stay so.
public struct Benchmark: Sendable {
    /// What it is called, such as `reload/closure`.
    public let name: String
    /// What is measured, and beside what.
    public let summary: String
    /// What must hold.
    public let limits: [Limit]

    let run: @MainActor @Sendable (Referee) async throws -> [Figure]

    /// Describes a benchmark.
    ///
    /// - Parameters:
    ///   - name: What it is called: a subject, a slash and a case.
    ///   - summary: What is measured, and beside what.
    ///   - limits: What must hold.
    ///   - run: Prepares what is needed, which is not measured, and lets the referee measure.
    public init(
        _ name: String,
        _ summary: String,
        _ limits: Limit...,
        run: @escaping @MainActor @Sendable (Referee) async throws -> [Figure]
    ) {
        self.name = name
        self.summary = summary
        self.limits = limits
        self.run = run
    }
}
