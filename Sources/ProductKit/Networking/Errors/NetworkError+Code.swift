extension NetworkError {
    /// What could be done about a failure.
    ///
    /// More codes may come with later versions: give every `switch` over them a `default`.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in the code.
        public let rawValue: String
        let problem: String
        let advice: String

        private init(_ rawValue: String, _ problem: String, _ advice: String) {
            self.rawValue = rawValue
            self.problem = problem
            self.advice = advice
        }

        /// The request could not be made and was not sent: mend the program or the input.
        public static let invalidRequest = Code(
            "invalidRequest",
            "The request cannot be sent as it is.",
            "Correct the address, the identifier or the header."
        )
        /// Plain http to another machine was refused and not sent: use https, or opt in.
        public static let insecure = Code(
            "insecure",
            "Plain http to another machine was refused.",
            "Use https, or a URLSessionTransport with allowsInsecureHTTP."
        )
        /// No connection could be made and nothing was sent: try again later.
        public static let unreachable = Code(
            "unreachable",
            "The server cannot be reached.",
            "Check the address and the connection."
        )
        /// The connection broke: the request may have been carried out.
        public static let connectionLost = Code(
            "connectionLost",
            "The connection broke before an answer came.",
            "Try again."
        )
        /// The answer began and broke off: the request was carried out.
        public static let incomplete = Code(
            "incomplete",
            "The connection broke in the middle of the answer.",
            "Try again."
        )
        /// The time was up, here or at the server (408): the request may have been carried out.
        public static let timedOut = Code(
            "timedOut",
            "The answer did not come in time.",
            "Try again."
        )
        /// The server could not prove who it is (TLS): do not go on.
        public static let untrusted = Code(
            "untrusted",
            "The server could not prove who it is, so nothing was sent.",
            "Check the address and the clock."
        )
        /// The server led somewhere that must not be followed.
        public static let redirect = Code(
            "redirect",
            "The server redirected to where the request must not follow.",
            "Check the address."
        )
        /// The answer is larger than the transport allows.
        public static let tooLarge = Code(
            "tooLarge",
            "The answer is larger than the transport allows.",
            "Raise its limit if it should be."
        )
        /// The answer came but is not what was asked for: HTML, nothing, another shape.
        public static let unreadable = Code(
            "unreadable",
            "The answer could not be read.",
            "Check that the address leads to an API."
        )
        /// Nothing stored could answer, and the network was not to be asked.
        public static let notCached = Code(
            "notCached",
            "Nothing is stored that could answer, and the network was not to be asked.",
            "Ask with another FetchPolicy."
        )
        /// 401: sign in again.
        public static let unauthorized = Code(
            "unauthorized",
            "The server refused the token, or there was none.",
            "Sign in again."
        )
        /// 403: this user may not.
        public static let forbidden = Code(
            "forbidden",
            "The server does not allow this user to do that.",
            "Ask for permission."
        )
        /// 404 and 410: there is no such thing.
        public static let notFound = Code(
            "notFound",
            "The server knows no such thing.",
            "Check the identifier and the base URL."
        )
        /// 409 and 412: somebody else changed it meanwhile; read it again.
        public static let conflict = Code(
            "conflict",
            "It was changed meanwhile.",
            "Read it again before you change it."
        )
        /// Any other 4xx: the request is wrong, and will be wrong again.
        public static let rejected = Code(
            "rejected",
            "The server rejected the request.",
            "Change it; sent as it is, it will be rejected again."
        )
        /// 429: too many requests; wait.
        public static let throttled = Code(
            "throttled",
            "The server asks for fewer requests.",
            "Wait a while."
        )
        /// 5xx and 425: the server failed or is not ready; try again later.
        public static let unavailable = Code(
            "unavailable",
            "The server failed.",
            "Try again later."
        )
        /// A status that is no answer to the request, such as a 304 to a plain GET.
        public static let unexpected = Code(
            "unexpected",
            "The server answered with an unexpected status.",
            "Check that the address leads to an API."
        )
    }

    /// Creates the error for an answer that is no success.
    ///
    /// - Parameter response: An answer whose status is not between 200 and 299.
    public init(_ response: NetworkResponse) {
        self.init(Code(statusCode: response.statusCode), response: response)
    }
}

extension NetworkError.Code {
    /// Whether the server may have received and carried out a request that failed this way.
    ///
    /// It is `false` when the request was not sent or the server refused it. It is `true` for all
    /// other codes, also for those of later versions: the outcome of an unsafe request is unknown.
    package var mayHaveReachedServer: Bool { !Self.withoutEffect.contains(self) }

    /// The codes of requests that were not sent, or that the server refused.
    private static let withoutEffect: Set<Self> = [
        .invalidRequest, .insecure, .unreachable, .untrusted, .notCached,
        .unauthorized, .forbidden, .notFound, .conflict, .rejected, .throttled,
    ]

    init(statusCode: Int) {
        self =
            switch statusCode {
            case 401: .unauthorized
            case 403: .forbidden
            case 404, 410: .notFound
            case 408: .timedOut
            case 409, 412: .conflict
            case 425: .unavailable
            case 429: .throttled
            case 400..<500: .rejected
            case 500..<600: .unavailable
            default: .unexpected
            }
    }
}
