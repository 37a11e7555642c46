import Foundation
import Testing

extension Tag {
    /// Tests that measure real time, which fail on a machine that is too slow or too busy.
    @Tag static var timing: Self
}

extension Trait where Self == ConditionTrait {
    /// Enables a test that measures real time only if `PRODUCTKIT_TIMING` is set.
    static var timed: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["PRODUCTKIT_TIMING"] != nil,
            "Set PRODUCTKIT_TIMING on a machine that does nothing else."
        )
    }
}
