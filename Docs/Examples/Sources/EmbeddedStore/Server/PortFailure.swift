import FlyingSocks
public import Foundation

/// No store could be opened at a port.
public struct PortFailure: LocalizedError {
    /// The port; 0 for any that was free.
    public let port: UInt16
    /// Why, in the system's words.
    public let reason: String

    /// What could not be opened, why, and what to do.
    public var errorDescription: String? {
        "No store can be opened at port \(port): \(reason). Choose another port."
    }
}

extension PortFailure {
    /// Says what a server throws before it listens in words for a person, if it is about the port.
    static func named(_ error: any Error, at port: UInt16) -> any Error {
        guard case SocketError.failed(_, _, let reason) = error else { return error }
        return PortFailure(port: port, reason: reason)
    }
}
