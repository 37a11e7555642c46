/// A measurement with limits.
public struct Benchmark: Sendable {
    /// The name, such as `reload/closure`.
    public let name: String
    /// The measured code, and the code that it is compared with.
    public let summary: String
    /// The limits of the results.
    public let limits: [Limit]

    let run: @MainActor @Sendable (Referee) async throws -> [Figure]

    /// Describes a benchmark.
    ///
    /// - Parameters:
    ///   - name: The subject, a slash and the case.
    ///   - summary: The measured code, and the code that it is compared with.
    ///   - limits: The limits of the results; none if they are only shown.
    ///   - run: Prepares the data, which is not measured, and starts the measurement.
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

    /// The limits that a run checks.
    func limits(for effort: Effort) -> [Limit] {
        limits.filter { effort != .exact || $0.quantity.isCount }
    }
}
