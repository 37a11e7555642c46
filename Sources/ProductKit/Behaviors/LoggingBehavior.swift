public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Tells what happens to every exchange, through one closure.
///
/// ```swift
/// let logging = LoggingBehavior { event in print(event) }
/// ```
///
/// Outside of ``RetryBehavior`` it tells of a send once; inside, of each attempt. It never tells a
/// header, user information, or a value of the query whose name sounds like a secret.
public struct LoggingBehavior: RequestBehavior {
    private let effects: BehaviorEffects
    private let log: @Sendable (NetworkEvent) -> Void

    /// Creates a behavior.
    ///
    /// - Parameters:
    ///   - effects: Time.
    ///   - log: Told of every event, from any thread. Keep it short.
    public init(
        effects: BehaviorEffects = BehaviorEffects(),
        log: @escaping @Sendable (NetworkEvent) -> Void
    ) {
        self.effects = effects
        self.log = log
    }

    /// Tells of the request, and then of how it ended.
    public func intercept(
        _ request: URLRequest,
        next: NetworkExchange
    ) async throws -> NetworkResponse {
        let start = effects.elapsed()
        let subject = NetworkEvent.Subject(
            method: request.method,
            url: request.url?.withoutSecrets,
            attempt: Attempt.current?.number ?? 1
        )
        log(.sending(subject))
        do {
            let response = try await next(request)
            log(
                .answered(
                    subject,
                    statusCode: response.statusCode,
                    bytes: response.body.count,
                    attempts: max(response.attempts.count, subject.attempt),
                    duration: effects.elapsed() - start
                )
            )
            return response
        } catch {
            let duration = effects.elapsed() - start
            if error.isCancellation {
                log(.cancelled(subject, duration: duration))
            } else {
                let error = error as? NetworkError
                log(
                    .failed(
                        subject,
                        error?.code,
                        attempts: max(error?.attempts.count ?? 0, subject.attempt),
                        duration: duration
                    )
                )
            }
            throw error
        }
    }
}

/// Something that happened to an exchange.
public enum NetworkEvent: Hashable, Sendable {
    /// What an event is about.
    public struct Subject: Hashable, Sendable {
        /// The method of the request.
        public let method: String
        /// The address, without its secrets.
        public let url: URL?
        /// Which attempt it is, counted from 1.
        public let attempt: Int

        /// Creates the subject of an event; the address is told as it is.
        public init(method: String, url: URL?, attempt: Int = 1) {
            self.method = method
            self.url = url
            self.attempt = attempt
        }
    }

    /// A request goes out.
    case sending(Subject)
    /// An answer came, with a body of so many bytes, after so many attempts in all.
    case answered(Subject, statusCode: Int, bytes: Int, attempts: Int, duration: Duration)
    /// No answer came, after so many attempts in all; the code is `nil` when something other than
    /// the network failed.
    case failed(Subject, NetworkError.Code?, attempts: Int, duration: Duration)
    /// Nobody waits for the answer any longer.
    case cancelled(Subject, duration: Duration)
}

extension NetworkEvent: CustomStringConvertible {
    /// The event in a line, such as `GET https://api.example.com/v1/products answered 200 …`.
    public var description: String {
        switch self {
        case .sending(let subject):
            "\(subject) sending"
        case .answered(let subject, let statusCode, let bytes, let attempts, let duration):
            "\(subject) answered \(statusCode) with \(bytes) bytes in \(duration.inMilliseconds)"
                + subject.telling(attempts)
        case .failed(let subject, let code, let attempts, let duration):
            "\(subject) failed (\(code?.rawValue ?? "unknown")) in \(duration.inMilliseconds)"
                + subject.telling(attempts)
        case .cancelled(let subject, let duration):
            "\(subject) cancelled after \(duration.inMilliseconds)"
        }
    }
}

extension NetworkEvent.Subject: CustomStringConvertible {
    /// Method, address and, from the second on, the attempt.
    public var description: String {
        let attempt = attempt > 1 ? " (attempt \(attempt))" : ""
        return "\(method) \(url?.absoluteString ?? "")\(attempt)"
    }

    fileprivate func telling(_ attempts: Int) -> String {
        attempts > attempt ? " after \(attempts) attempts" : ""
    }
}

extension Duration {
    fileprivate var inMilliseconds: String { text(in: .milliseconds(1)) + " ms" }
}

extension Duration {
    /// How many of a unit it is, with one decimal place, written alike in every locale.
    func text(in unit: Duration) -> String {
        (self / unit).formatted(
            .number.precision(.fractionLength(1)).grouping(.never)
                .locale(Locale(identifier: "en_US_POSIX"))
        )
    }
}
