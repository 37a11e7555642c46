import Foundation

/// The intended differences between the transports.
///
/// `DifferenceTests` checks that the article “Transports” contains the sentence of each.
enum Difference: String, CaseIterable {
    case endsProcess = "six kinds of responses end the process inside of `URLSession`."
    case stallsProcess = """
        These responses and situations stop it, and with it all requests of the process:
        """
    case cannotCheckTrust = "``URLSessionTransport`` has no certificates on Linux."
    case limitsWrites = "32 writes that wait for their servers delay all further writes."
    case usesLibcurl = """
        libcurl reports a malformed chunk as `incomplete`. With HTTP/2, it reports a status that is not a number, and \
        more than 64 KiB of header fields, as `connectionLost`.
        """
    case usesHTTP1 = "``CurlTransport`` uses HTTP/1.1 only."
    case missesEarlyResponses = """
        With HTTP/2 over `URLSession`, a response that ends before the body of its request has been sent can be a timeout.
        """
    case refusesUnusualHeads = """
        Header fields in Latin-1, lines without CR, and a status line without a reason phrase are errors of the code \
        ``NetworkError/Code-swift.struct/connectionLost``.
        """
    case reportsLessPreciseCodes = """
        So is a header field of more than 100 kB. Data that is not gzip is an error of the code \
        ``NetworkError/Code-swift.struct/incomplete``.
        """
    case acceptsTwoLengths = """
        Two different lengths are accepted if the names of their fields differ in case.
        """
    case refusesLineFeeds = """
        `AsyncHTTPClientNetworking` reports lines that end with LF as `unreadable`.
        """
    case losesStatusOfTruncatedGzip = """
        ``CurlTransport`` and `AsyncHTTPClientNetworking` report compressed data that ends too early as `unreadable`, the \
        latter without a status code.
        """
    case limitsEachField = """
        `AsyncHTTPClientNetworking` accepts at most 256 header fields of at most 80 KiB each. With HTTP/2, all of them may \
        have 16 KiB, and a larger header section is a timeout.
        """
    case hasNoTrustCheck = """
        `AsyncHTTPClientNetworking` has no `isTrusted`: its client has a TLS configuration.
        """
    case hasDeadlinePerRedirect = """
        With `AsyncHTTPClientNetworking`, each redirected request has the full deadline.
        """
    case sendsInsecureHTTP = """
        `AsyncHTTPClientNetworking` refuses plain HTTP to another computer only after a redirect.
        """
    case neverResends = """
        `AsyncHTTPClientNetworking` sends every request once, also a `GET` over a connection that the server just \
        closed, which fails with `connectionLost`.
        """

    /// The transports that differ from the others.
    var transports: Set<TransportUnderTest> {
        switch self {
        case .endsProcess, .stallsProcess, .cannotCheckTrust, .limitsWrites,
            .reportsLessPreciseCodes,
            .refusesUnusualHeads, .acceptsTwoLengths, .missesEarlyResponses:
            #if canImport(FoundationNetworking)
            [.urlSession]
            #else
            []
            #endif
        case .usesHTTP1:
            #if os(Linux) && canImport(Glibc)
            [.curl]
            #else
            []
            #endif
        case .usesLibcurl:
            #if os(Linux) && canImport(Glibc)
            [.urlSession, .curl]
            #else
            []
            #endif
        case .refusesLineFeeds, .losesStatusOfTruncatedGzip, .hasNoTrustCheck, .limitsEachField,
            .hasDeadlinePerRedirect,
            .sendsInsecureHTTP, .neverResends:
            [.asyncHTTPClient]
        }
    }
}

extension TransportUnderTest {
    /// Returns the transports without those that differ from the others.
    static func all(without difference: Difference) -> [TransportUnderTest] {
        allCases.filter { !$0.has(difference) }
    }

    /// Returns whether this transport differs from the others.
    func has(_ difference: Difference) -> Bool {
        difference.transports.contains(self)
    }
}
