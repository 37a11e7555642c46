import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkErrorTests {
    // Rule: errors/code-suggests-the-remedy (1)
    @Test(
        arguments: [
            (400, .rejected), (401, .unauthorized), (403, .forbidden), (404, .notFound),
            (405, .rejected), (408, .timedOut), (409, .conflict), (410, .notFound),
            (412, .conflict), (418, .rejected), (422, .rejected), (425, .unavailable),
            (421, .unavailable),
            (429, .throttled), (499, .rejected), (500, .unavailable), (501, .unavailable),
            (503, .unavailable), (599, .unavailable), (304, .unexpected), (101, .unexpected),
            (600, .unexpected),
        ] as [(Int, NetworkError.Code)]
    )
    func `a status code determines the code`(status: Int, code: NetworkError.Code) {
        let error = NetworkError(NetworkResponse(statusCode: status))

        #expect(error.code == code && error.statusCode == status)
    }

    // Rule: errors/code-suggests-the-remedy (1)
    @Test(
        arguments: [
            (.badURL, .invalidRequest), (.dataLengthExceedsMaximum, .invalidRequest),
            (.appTransportSecurityRequiresSecureConnection, .insecure),
            (.cannotFindHost, .unreachable), (.cannotConnectToHost, .unreachable),
            (.dnsLookupFailed, .unreachable), (.notConnectedToInternet, .unreachable),
            (.timedOut, .timedOut), (.secureConnectionFailed, .untrusted),
            (.serverCertificateUntrusted, .untrusted), (.serverCertificateHasBadDate, .untrusted),
            (.httpTooManyRedirects, .redirect), (.networkConnectionLost, .connectionLost),
            (.unknown, .connectionLost), (.badServerResponse, .connectionLost),
            (.userAuthenticationRequired, .unauthorized),
            (.userCancelledAuthentication, .unauthorized),
        ] as [(URLError.Code, NetworkError.Code)]
    )
    func `a system error determines the code`(
        system: URLError.Code,
        code: NetworkError.Code
    ) async throws {
        let networking: any Networking = .closure { _ in throw URLError(system) }
        let client = NetworkClient(baseURL: .api, networking: networking)

        let error = await client.error(of: .boots)

        #expect(error?.code == code)
        #expect(error?.underlying as? URLError == URLError(system))
        #expect(error?.method == "GET")
        #expect(error?.url?.absoluteString == "https://api.example.com/v1/products/walking-boots")
    }

    // Rule: errors/code-suggests-the-remedy (1)
    @Test(
        arguments: [(-9816, .unreachable), (-9805, .unreachable), (-9813, .untrusted)]
            as [(Int, NetworkError.Code)]
    )
    func `a connection that is closed during a handshake has sent nothing`(
        number: Int,
        code: NetworkError.Code
    ) async throws {
        let error = URLError(.secureConnectionFailed, userInfo: ["_kCFStreamErrorCodeKey": number])
        let client = NetworkClient(baseURL: .api, networking: .closure { _ in throw error })

        #expect(await client.error(of: .boots)?.code == code)
        #expect(error.mayHaveReachedServer == false)
    }

    // Rule: errors/code-suggests-the-remedy (1)
    @Test(
        arguments: [.cannotConnectToHost, .serverCertificateUntrusted, .timedOut]
            as [URLError.Code],
        ["GET", "PUT"]
    )
    func `a write that was sent in vain may have reached the server`(
        system: URLError.Code,
        method: String
    ) throws {
        var request = URLRequest(url: .api)
        request.httpMethod = method
        let ok = HTTPURLResponse(url: .api, statusCode: 200, httpVersion: nil, headerFields: nil)
        func code(_ response: URLResponse?, wasSent: Bool) -> NetworkError.Code {
            let error = URLError(system)
            return NetworkError(
                system: error,
                request: request,
                response: response,
                wasSent: wasSent
            ).code
        }
        let isLost = method == "PUT" && system != .timedOut

        #expect(code(nil, wasSent: false) != .connectionLost)
        #expect(code(nil, wasSent: true) == (isLost ? .connectionLost : code(nil, wasSent: false)))
        #expect(code(ok, wasSent: true) == (isLost ? .incomplete : code(ok, wasSent: false)))
    }

    @Test(
        arguments: [
            ("SSL certificate problem: certificate has expired", .untrusted),
            ("SSL certificate problem: self-signed certificate", .untrusted),
            ("SSL: no alternative certificate subject name matches target host", .untrusted),
            ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", .untrusted),
            ("gnutls_handshake() failed: An unexpected TLS packet was received.", .untrusted),
            ("OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000126:SSL routines", .connectionLost),
            ("transfer closed with 78 bytes remaining to read", .connectionLost),
            ("", .connectionLost),
        ] as [(String, NetworkError.Code)]
    )
    func `the text of an unknown system error determines the code`(
        text: String,
        code: NetworkError.Code
    ) async {
        let networking: any Networking = .closure { _ in
            throw URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        }
        let client = NetworkClient(baseURL: .api, networking: networking)

        let error = await client.error(of: .boots)

        #expect(error?.code == code)
        #expect(code == .connectionLost || error?.debugDescription.contains(text) == true)
    }

    @Test func `the letter case of the scheme does not change the code`() async throws {
        let baseURL = try #require(URL(string: "HTTPS://api.example.com"))
        let text = "SSL certificate problem: certificate has expired"
        let client = NetworkClient(
            baseURL: baseURL,
            networking: .closure { _ in
                throw URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
            }
        )

        let error = await client.error(of: .boots)

        #expect(error?.code == .untrusted)
    }

    @Test func `an error without a request and a response has the message of its code`() {
        let error = NetworkError(.timedOut)

        #expect(error.method == nil && error.url == nil && error.statusCode == nil)
        #expect(error.body.isEmpty && error.problem == nil)
        #expect(error.localizedDescription == "The server did not respond in time. Try again.")
    }

    @Test func `the text for developers contains the members of the problem that were sent`() {
        let body = """
            {"title": "Bad", "instance": "https://a.example/?token=canary",
            "errors": [{"detail": "Too \\nlong.", "pointer": "/name"}, {"detail": "No."}]}
            """

        let error = NetworkError(.problem(body, statusCode: 422))

        let lines = error.debugDescription.split(separator: "\n")
        let problem = """
            problem: title "Bad", instance "https://a.example/?token=redacted", \
            error "Too \\nlong." at "/name", error "No."
            """
        #expect(lines.contains { $0 == problem }, "\(error.debugDescription)")
    }

    // Rule: errors/texts-are-for-users (21)
    @Test func `the message for users contains no URL`() {
        let error = NetworkError(
            .forbidden,
            request: URLRequest(url: .api),
            response: NetworkResponse(statusCode: 403)
        )

        #expect(
            error.localizedDescription
                == "You do not have permission for this. Contact the shop if you need it."
        )
    }

    // Rule: errors/texts-are-for-users (21)
    @Test(arguments: [
        (#"{"type": "/credit", "title": "Out of credit"}"#, "Out of credit."),
        (#"{"title": "Out of credit", "detail": "It is 30."}"#, "It is 30."),
        (
            #"{"title": "Unprocessable Content"}"#,
            "The shop did not accept this. Check it and try again, or contact the shop."
        ),
        (
            #"{"title": "Bad", "errors": [{"detail": "Too long.", "pointer": "/name"}]}"#,
            "Too long."
        ),
        (
            #"{"type": "/odd", "title": "Bad", "errors": [{"detail": "Too long"}]}"#,
            "Bad. Too long."
        ),
        (#"{"errors": [{"detail": "one"}, {"detail": " two\n"}]}"#, "one. two."),
    ])
    func `the message of the server is shown alone`(body: String, reason: String) {
        #expect(NetworkError(.problem(body, statusCode: 422)).localizedDescription == reason)
    }

    @Test func `a given reason replaces the message`() {
        let response = NetworkResponse.problem(#"{"title": "No"}"#, statusCode: 422)

        let error = NetworkError(.rejected, response: response, reason: "Because.")

        #expect(error.reason == "Because.")
    }

    // Rule: errors/request-and-response-are-described (2)
    @Test func `an error describes the request and the response, and does not show the body`() {
        let error = NetworkError(
            .unreadable,
            request: URLRequest(url: .api),
            response: NetworkResponse(statusCode: 218, body: Data("<html>".utf8)),
            underlying: ProductError.notFound("tea")
        )

        #expect(error.method == "GET" && error.url == .api && error.statusCode == 218)
        #expect(error.body == Data("<html>".utf8))
        #expect(error.underlying as? ProductError == .notFound("tea"))
        let text = String(reflecting: error)
        #expect(text.hasPrefix("NetworkError.unreadable: "))
        #expect(text.contains("request: GET https://api.example.com/v1\n"))
        #expect(text.contains("status code: 218\n") && text.contains("notFound"))
        #expect(text.contains("body: 6 bytes kept (no media type)"))
    }

    // Rule: errors/request-and-response-are-described (2); security/error-body-is-limited (17)
    @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 1 << 20])
    func `an error contains at most 4 KiB of the body`(size: Int) throws {
        let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })

        let error = NetworkError(NetworkResponse(statusCode: 500, body: body))

        try #require(error.body.count == min(size, 4_096))
        #expect(error.body == body.prefix(4_096))
        #expect(error.body.startIndex == 0)
        #expect(String(reflecting: error).utf8.count < 4_096)
    }
}
