public import Foundation

extension Outbox {
    /// The consequence of a failed attempt for its change.
    ///
    /// This enumeration is closed: the outbox can do nothing else.
    public enum Disposition: Hashable, Sendable {
        /// The server has carried out the change; only its response could not be read.
        case confirmed
        /// The server has refused the change, and would refuse it again. It is not sent again.
        case rejected
        /// Another change has come in between. It is sent again later, at most four times in a row,
        /// and is rejected after that.
        case conflict
        /// The change is sent again later. Changes of other products and lists are not delayed.
        case retryLater
        /// All changes are sent later: after the delay that the server requires, or after a random
        /// one that grows with each failure in a row.
        case retryAllLater(after: Duration? = nil)
        /// Nothing is sent until the user has signed in and ``Outbox/Session/resume()`` is called, or
        /// ``Outbox/Session/sendAll(ignoringRetryAfter:)``.
        case waitForSignIn

        /// Decides by the error that an attempt has thrown.
        ///
        /// The code of a ``NetworkError`` decides, because a shop may refuse a change in a response
        /// whose status code is a success. Only if such a response cannot be read, it confirms.
        ///
        /// - Parameters:
        ///   - error: The error.
        ///   - now: The current date, for a `Retry-After` with a date in a response without `Date`.
        public init(_ error: any Error, now: Date = Date()) {
            switch error {
            case let error as NetworkError: self = .init(error, now: now)
            case let error as TokenError:
                // Other failures of tokens are not final either, but need no new sign-in.
                self = error == .sessionEnded ? .waitForSignIn : .retryAllLater()
            case is ProductError, is ListError, is UnsupportedOperation, is UnimplementedAction,
                is InvalidIdentifier, is EncodingError:
                self = .rejected
            case let error where error.urlError != nil: self = .retryAllLater()
            default: self = .retryLater
            }
        }

        private init(_ error: NetworkError, now: Date) {
            switch error.code {
            case .unreadable, .tooLarge, .incomplete: self = .init(unreadable: error)
            case .notFound where error.isOfMissingOutput && !error.isOfRead:
                self = .init(unreadable: error)
            case .invalidRequest, .insecure, .forbidden, .notFound, .rejected: self = .rejected
            case .conflict: self = error.statusCode == 412 ? .rejected : .conflict
            case .unauthorized: self = .waitForSignIn
            case .unavailable where [501, 505].contains(error.statusCode): self = .rejected
            case .throttled,
                .unavailable where error.statusCode == 503:
                self = .retryAllLater(after: error.retryAfter(now: now))
            case .unreachable, .connectionLost, .timedOut, .untrusted,
                .unavailable where [421, 425, 502, 504].contains(error.statusCode):
                self = .retryAllLater()
            default: self = .retryLater
            }
        }

        /// Decides by the status code whether the server has carried out the change.
        ///
        /// A response to a read, such as one that a closure sends before a write, does not show that. A part of
        /// a response does not either: the rest may report a failure.
        private init(unreadable error: NetworkError) {
            if !error.isOfRead, !error.mayHideFailure, let statusCode = error.statusCode,
                (200..<300).contains(statusCode)
            {
                self = .confirmed
            } else {
                self = error.code == .incomplete ? .retryAllLater() : .retryLater
            }
        }
    }
}
