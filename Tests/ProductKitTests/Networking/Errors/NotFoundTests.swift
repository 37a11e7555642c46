import Foundation
import ProductKit
import Testing

/// Which bodies of a 404 or 410 are from an API, so that something is not found.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NotFoundTests {
    // Rule: errors/not-found-needs-an-api (7)
    @Test(
        arguments: [
            (nil, ""), ("text/html", ""), ("application/json", #"{"code": 7}"#),
            ("application/problem+json; charset=utf-8", #"{"title": "Not found"}"#),
            ("Application/Vnd.API+JSON", "[]"), ("application/json", "no such product"),
            ("text/plain", "404 page not found"), ("text/plain; charset=utf-8", "a < b"),
            ("application/octet-stream", "{}"), (nil, "Not found"), (nil, "{}"),
        ],
        [404, 410]
    )
    func `a response of an API is “not found”`(
        response: (mediaType: String?, body: String),
        statusCode: Int
    ) {
        #expect(error(statusCode, response.mediaType, response.body).code == .notFound)
    }

    // Rule: errors/not-found-needs-an-api (7)
    @Test(
        arguments: [
            ("text/html", "<!DOCTYPE html><title>404</title>"), ("TEXT/HTML; charset=utf-8", "404"),
            ("application/xhtml+xml", "<html/>"), ("application/xml", "<Error/>"),
            ("image/png", "PNG"), (nil, "<html>"), (nil, "\u{FEFF}\r\n\t <html>"),
            ("text/plain", " <html>"), ("application/json", "<html>"),
            ("application/octet-stream", "<html>"),
        ],
        [404, 410]
    )
    func `a web page or a file is unexpected and advises to check the base URL`(
        response: (mediaType: String?, body: String),
        statusCode: Int
    ) {
        let error = error(statusCode, response.mediaType, response.body)

        #expect(error.code == .unexpected && error.statusCode == statusCode)
        #expect(error.body == Data(response.body.utf8))
        #expect(
            error.details
                == "The response is a web page or a file. Check that the base URL leads to an API."
        )
    }

    // Rule: errors/not-found-needs-an-api (7)
    @Test(arguments: [
        (400, NetworkError.Code.rejected), (401, .unauthorized), (500, .unavailable),
    ])
    func `a web page with another status code has the code of the status`(
        statusCode: Int,
        code: NetworkError.Code
    ) {
        #expect(error(statusCode, "text/html", "<html>").code == code)
    }

    // Rule: errors/not-found-needs-an-api (7)
    @Test(
        arguments: [
            (.webPage(statusCode: 404), .unexpected),
            (.json(#"{"code": "gone"}"#, statusCode: 422), .notFound),
            (.json(#"{"code": "7"}"#, statusCode: 404), .notFound),
        ] as [(NetworkResponse, NetworkError.Code)]
    )
    func `for a backend with its own format, JSON may mean “not found”, and no web page does`(
        response: NetworkResponse,
        code: NetworkError.Code
    ) {
        let error = NetworkError(
            response,
            message: "message",
            code: "code",
            codes: ["gone": .notFound]
        )

        #expect(error.code == code)
        #expect(code == .notFound || error.debugDescription.contains("base URL"))
    }

    private func error(_ statusCode: Int, _ mediaType: String?, _ body: String) -> NetworkError {
        var response = NetworkResponse(statusCode: statusCode, body: Data(body.utf8))
        response.headers["Content-Type"] = mediaType
        return NetworkError(response)
    }
}
