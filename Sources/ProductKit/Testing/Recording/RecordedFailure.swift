import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A failure of the transport that a replay can repeat.
struct RecordedFailure: Error {
    let code: NetworkError.Code

    /// The codes of requests that were sent, or for which no connection could be made.
    private static let codes: [NetworkError.Code] = [
        .unreachable, .connectionLost, .incomplete, .timedOut, .untrusted, .insecure, .redirect,
        .tooLarge, .unreadable,
    ]

    /// Finds the failure with the name of a code; `nil` if there is none.
    init?(_ name: String) {
        guard let code = Self.codes.first(where: { $0.rawValue == name }) else { return nil }
        self.code = code
    }

    /// Creates the failure for an error of the transport; `nil` for other errors.
    init?(_ error: any Error) {
        let code = (error as? NetworkError)?.code
        guard let code = code ?? error.urlError.map({ NetworkError.Code($0.code) }) else {
            return nil
        }
        self.init(code.rawValue)
    }
}
