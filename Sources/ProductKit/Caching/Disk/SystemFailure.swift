#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What the system said when it would not do something with a file.
struct SystemFailure: Error, Hashable {
    /// The system's number, such as `ENOSPC`.
    let number: Int32

    /// Does something, and throws when its result is negative.
    @discardableResult
    static func unlessDone<Result: SignedInteger>(
        _ body: () -> Result
    ) throws(SystemFailure) -> Result {
        while true {
            let result = body()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { throw SystemFailure(number: number) }
        }
    }
}

extension SystemFailure {
    /// Whether there was nothing of that name.
    var isMissing: Bool { number == ENOENT }
}
