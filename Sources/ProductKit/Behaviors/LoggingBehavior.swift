public import Foundation

/// A behavior that reports the start and the end of each request to a closure.
///
/// ```swift
/// let logging = LoggingBehavior { event in print(event) }
/// ```
///
/// Placed outside of ``RetryBehavior``, it reports a request once, with the number of its attempts.
/// Placed inside, it reports every attempt.
///
/// An event never contains header fields, bodies, a user name or password, or the value of a query
/// item whose name suggests a secret.
public struct LoggingBehavior: RequestBehavior {
    private let effects: SystemEffects
    private let log: @Sendable (NetworkEvent) -> Void

    /// Creates a behavior.
    ///
    /// - Parameters:
    ///   - effects: The clock that measures durations.
    ///   - log: Receives each event, on any thread. The request waits until it returns.
    public init(
        effects: SystemEffects = SystemEffects(),
        log: @escaping @Sendable (NetworkEvent) -> Void
    ) {
        self.effects = effects
        self.log = log
    }

    /// Reports the start of the request, and then its response, failure or cancellation.
    public func intercept(
        _ request: OutgoingRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        let start = effects.elapsed()
        let subject = NetworkEvent.Subject(
            method: request.method,
            url: request.url.withoutSecrets,
            attempt: request.attempt
        )
        log(.started(subject))
        do {
            let response = try await next(request)
            let event = NetworkEvent.responded(
                subject,
                statusCode: response.statusCode,
                bytes: response.body.count,
                attempts: max(response.attempts.count, subject.attempt),
                duration: effects.elapsed() - start
            )
            log(event)
            return response
        } catch {
            let duration = effects.elapsed() - start
            if error.isCancellation {
                log(.cancelled(subject, duration: duration))
            } else {
                let error = error as? NetworkError
                let attempts = max(error?.attempts.count ?? 0, subject.attempt)
                log(.failed(subject, error?.code, attempts: attempts, duration: duration))
            }
            throw error
        }
    }
}

/// A step in the life of a request, as reported by ``LoggingBehavior``.
///
/// Each request has one `started` event, followed by exactly one of the others. Durations are
/// measured from the start. `attempts` is the total number of attempts so far.
public enum NetworkEvent: Hashable, Sendable {
    /// The request of an event.
    public struct Subject: Hashable, Sendable {
        /// The method of the request.
        public let method: String
        /// The URL of the request, without secrets.
        public let url: URL?
        /// The number of the attempt, counted from 1; always 1 outside of ``RetryBehavior``.
        public let attempt: Int
    }

    /// The request is about to be sent.
    case started(Subject)
    /// A response was received, with any status code. `bytes` is the size of its decoded body.
    case responded(Subject, statusCode: Int, bytes: Int, attempts: Int, duration: Duration)
    /// The request failed without a usable response. The code is `nil` if the error is not a ``NetworkError``.
    case failed(Subject, NetworkError.Code?, attempts: Int, duration: Duration)
    /// The calling task was cancelled.
    case cancelled(Subject, duration: Duration)
}

extension NetworkEvent: CustomStringConvertible {
    /// The event as one line for a log, such as
    /// `GET https://api.example.com/v1/products received status 200 and 512 bytes in 80.5 ms`.
    public var description: String {
        switch self {
        case .started(let subject):
            "\(subject.text) started"
        case .responded(let subject, let statusCode, let bytes, let attempts, let duration):
            "\(subject.text) received status \(statusCode) and \(bytes) bytes "
                + "in \(duration.inMilliseconds)\(subject.suffix(for: attempts))"
        case .failed(let subject, let code, let attempts, let duration):
            "\(subject.text) failed (\(code?.rawValue ?? "unknown")) "
                + "in \(duration.inMilliseconds)\(subject.suffix(for: attempts))"
        case .cancelled(let subject, let duration):
            "\(subject.text) cancelled after \(duration.inMilliseconds)"
        }
    }
}

extension NetworkEvent.Subject {
    /// The method, the URL and, from the second attempt on, the number of the attempt.
    fileprivate var text: String {
        let attempt = attempt > 1 ? " (attempt \(attempt))" : ""
        return "\(method) \(url?.absoluteString ?? "")\(attempt)"
    }

    /// The number of attempts, if it is greater than the number of this attempt.
    fileprivate func suffix(for attempts: Int) -> String {
        attempts > attempt ? " after \(attempts) attempts" : ""
    }
}

extension Duration {
    fileprivate var inMilliseconds: String { formatted(in: .milliseconds(1)) + " ms" }

    /// Returns the duration as a multiple of a unit, with one decimal place, in any locale.
    func formatted(in unit: Duration) -> String {
        (self / unit).formatted(
            .number.precision(.fractionLength(1)).grouping(.never)
                .locale(Locale(identifier: "en_US_POSIX"))
        )
    }
}
