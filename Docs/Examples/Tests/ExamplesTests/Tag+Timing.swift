import Foundation
import Testing

extension Tag {
    /// Tests that compare a duration or processor time with a limit.
    ///
    /// Such a test also has the trait ``Trait/timed``.
    @Tag static var timing: Self
}

extension Trait where Self == ConditionTrait {
    /// Runs the test only if the environment variable `PRODUCTKIT_TIMING` is set.
    ///
    /// Other programs can slow a machine at any time. Therefore, `swift test` decides by facts alone,
    /// and `bash .ci/run all` sets the variable.
    static var timed: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["PRODUCTKIT_TIMING"] != nil,
            "Set PRODUCTKIT_TIMING to run the tests that measure time."
        )
    }
}
