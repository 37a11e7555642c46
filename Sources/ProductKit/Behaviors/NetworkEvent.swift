public import Foundation

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
