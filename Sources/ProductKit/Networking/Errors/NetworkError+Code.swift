extension NetworkError {
    /// The kind of failure, which suggests what can be done about it.
    ///
    /// Later versions may add codes: give every `switch` over them a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        package let rawValue: String
        /// The message for users of the app: what happened and what they can do about it.
        let message: String
        /// A sentence for developers: what to correct; `nil` if there is nothing to correct.
        private(set) var hint: String?

        /// The name of the code, such as `timedOut`.
        public var description: String { rawValue }

        /// The request is not valid and was not sent.
        ///
        /// Correct the code or the input that it was created from.
        public static let invalidRequest = Code(
            rawValue: "invalidRequest",
            message: "The app could not send this request. Try again, or update the app.",
            hint: "Correct the URL, the identifier or the header field."
        )
        /// Plain HTTP to another computer was refused, and nothing was sent.
        ///
        /// Use https, or permit plain HTTP with `allowsInsecureHTTP` and, on Apple platforms, with an exception from
        /// App Transport Security in the `Info.plist` of the app.
        public static let insecure = Code(
            rawValue: "insecure",
            message: "The connection to the server is not encrypted, so nothing was sent. "
                + "Try again with another network, or update the app.",
            hint: "Use https, or a transport with allowsInsecureHTTP, and on Apple platforms an "
                + "exception from App Transport Security."
        )
        /// No connection could be made, and nothing was sent.
        public static let unreachable = Code(
            rawValue: "unreachable",
            message: "The server cannot be reached. Check the internet connection, and try again."
        )
        /// The connection was lost before a response arrived.
        ///
        /// The server may have carried out the request.
        public static let connectionLost = Code(
            rawValue: "connectionLost",
            message: "The connection to the server was lost. Try again."
        )
        /// The connection was lost after the response began.
        ///
        /// The server has processed the request. Whether it carried it out is unknown, as its response is lost.
        public static let incomplete = Code(
            rawValue: "incomplete",
            message: "The connection to the server was lost before the response was complete. "
                + "Try again."
        )
        /// The request timed out, in the app or at the server (408).
        ///
        /// The server may have carried out the request.
        public static let timedOut = Code(
            rawValue: "timedOut",
            message: "The server did not respond in time. Try again."
        )
        /// The certificate of the server is not trusted (TLS), and nothing was sent.
        public static let untrusted = Code(
            rawValue: "untrusted",
            message: "The identity of the server cannot be verified, so nothing was sent. "
                + "Try another network, and check the date and time of the device.",
            hint: "Check the URL and its certificate."
        )
        /// The server redirected the request, and the redirect was not followed.
        ///
        /// The target is not allowed, or the request is unsafe: following could lose its method or
        /// its body. The `debugDescription` of the error names the target.
        public static let redirect = Code(
            rawValue: "redirect",
            message: "The server responded in an unexpected way. "
                + "Try again with another network, or update the app.",
            hint: "Check the URL."
        )
        /// The response is larger than the limit of the transport.
        public static let tooLarge = Code(
            rawValue: "tooLarge",
            message: "The server sent too much data. Try again later, or update the app.",
            hint: "Raise the limit of the transport if this size is expected."
        )
        /// The response has an unexpected body, such as a web page, no data or other JSON.
        public static let unreadable = Code(
            rawValue: "unreadable",
            message: "The response of the server cannot be read. "
                + "Try again later, or update the app.",
            hint: "Check that the base URL leads to an API."
        )
        /// No stored response can be used, and the ``FetchPolicy`` does not allow the network.
        public static let notCached = Code(
            rawValue: "notCached",
            message: "This is not available without a connection. "
                + "Connect to the internet, and try again.",
            hint: "Use another FetchPolicy."
        )
        /// 401: there is no valid token.
        public static let unauthorized = Code(
            rawValue: "unauthorized",
            message: "You are not signed in. Sign in, and try again.",
            hint:
                "The request had no valid token. Create the service for a user who has signed in, and "
                + "pass refresh: so that tokens are refreshed. If it was the request of a sign-in, the "
                + "name or the password is not valid."
        )
        /// 403: the user does not have the permission.
        public static let forbidden = Code(
            rawValue: "forbidden",
            message: "You do not have permission for this. Contact the shop if you need it.",
            hint:
                "If the server responds with 403 to an invalid token, return 401 from statusCode: of the "
                + "client, so that tokens are refreshed."
        )
        /// 404 and 410 of an API: there is no such resource.
        ///
        /// With a body that an API for JSON does not send, such as a web page or a file, it is ``unexpected``.
        public static let notFound = Code(
            rawValue: "notFound",
            message: "The shop could not find this. Refresh, and choose another item.",
            hint: "Check the identifier and the base URL."
        )
        /// 409 and 412: the resource was changed in the meantime.
        public static let conflict = Code(
            rawValue: "conflict",
            message: "This was changed in the meantime. Refresh, and make your change again.",
            hint:
                "Load the current state before you send the change again. If the server has sent a "
                + "reason, the problem or the body contains it."
        )
        /// Any other 4xx: the server rejects this request, and will reject it again.
        public static let rejected = Code(
            rawValue: "rejected",
            message: "The shop did not accept this. Check it and try again, or contact the shop.",
            hint:
                "If the server has sent a reason, the problem or the body contains it. If a code of the "
                + "backend has another meaning, pass it in codes:."
        )
        /// 429: the server received too many requests.
        public static let throttled = Code(
            rawValue: "throttled",
            message: "The server received too many requests. Wait before you try again."
        )
        /// 5xx, 421 and 425: the server failed or is not ready.
        public static let unavailable = Code(
            rawValue: "unavailable",
            message: "The server failed to process the request. Try again later."
        )
        /// A status code that does not fit the request, such as a 304 to an unconditional one, or a 404 with a web page.
        public static let unexpected = Code(
            rawValue: "unexpected",
            message: "The server responded in an unexpected way. Try again later.",
            hint: "Check that the base URL leads to an API."
        )
    }

    /// Creates the error for a response that is not a success, from its problem details (RFC 9457).
    ///
    /// The status code determines the code, with two exceptions. A redirect with a `Location` (RFC 9110 §15.4) is
    /// ``Code-swift.struct/redirect``. And a 404 or 410 is ``Code-swift.struct/unexpected`` if it has a body that begins
    /// like a web page, with `<`, or whose media type is not JSON, `text/plain`, `text/javascript` or
    /// `application/octet-stream`: then the base URL is probably wrong. A body may have no media type.
    ///
    /// - Parameter response: A response whose status code is not between 200 and 299.
    public init(_ response: NetworkResponse) {
        var code = Code(statusCode: response.statusCode)
        var details: String?
        let isRedirect = [301, 302, 303, 307, 308].contains(response.statusCode)
        if code == .notFound, !response.mayBeFromAPI {
            code = .unexpected
            details =
                "The response is a web page or a file. Check that the base URL leads to an API."
        } else if isRedirect, response.headers["Location"] != nil {
            code = .redirect
            details =
                "The redirect was not followed. Use the base URL that the server redirects to, or "
                + "appendsSlash."
        }
        self.init(code, response: response, details: details)
    }
}

extension NetworkError.Code {
    /// Whether the server may have received and carried out a request that failed this way.
    ///
    /// It is `false` only if the request was not sent or the server refused it, and `true` for codes of later versions.
    package var mayHaveReachedServer: Bool { !Self.withoutEffect.contains(self) }

    private static let withoutEffect: Set<Self> = [
        .invalidRequest, .insecure, .unreachable, .untrusted, .notCached,
        .unauthorized, .forbidden, .notFound, .conflict, .rejected, .throttled,
    ]

    /// A status code with this meaning, or else 422.
    var statusCode: Int {
        [401, 403, 404, 408, 409, 429, 503].first { Self(statusCode: $0) == self } ?? 422
    }

    /// The code for a status code that is not a success.
    init(statusCode: Int) {
        self =
            switch statusCode {
            case 401: .unauthorized
            case 403: .forbidden
            case 404, 410: .notFound
            case 408: .timedOut
            case 409, 412: .conflict
            case 421, 425: .unavailable
            case 429: .throttled
            case 400..<500: .rejected
            case 500..<600: .unavailable
            default: .unexpected
            }
    }
}
