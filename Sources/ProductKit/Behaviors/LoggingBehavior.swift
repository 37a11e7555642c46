#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
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

    /// Creates a behaviour.
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
            method: request.httpMethod ?? "GET",
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
