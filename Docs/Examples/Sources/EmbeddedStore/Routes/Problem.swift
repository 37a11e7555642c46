import Foundation

/// A failure with the members of RFC 9457.
struct Problem: Error {
    /// An invalid member of a request body.
    struct Violation: Encodable {
        let detail: String
        /// A JSON Pointer into the request body.
        let pointer: String
    }

    let status: Int
    let detail: String?
    /// The path of the missing or invalid resource, by default that of the request.
    let instance: String?
    let violations: [Violation]
    let headers: [String: String]

    init(
        _ status: Int,
        detail: String? = nil,
        instance: String? = nil,
        violations: [Violation] = [],
        headers: [String: String] = [:]
    ) {
        self.status = status
        self.detail = detail
        self.instance = instance
        self.violations = violations
        self.headers = headers
    }

    static func noSuchProduct(_ id: String) -> Problem {
        Problem(
            404,
            detail: "There is no product \(id).",
            instance: Resource.product(id).path
        )
    }

    static func noSuchList(_ id: String) -> Problem {
        Problem(404, detail: "There is no list \(id).", instance: Resource.list(id).path)
    }

    static func invalid(_ detail: String, at pointer: String) -> Problem {
        Problem(
            422,
            detail: "The body is invalid.",
            violations: [Violation(detail: detail, pointer: pointer)]
        )
    }

    func response(to request: StoreRequest?) -> StoreResponse {
        let body = Body(
            type: "about:blank",
            title: StoreResponse.reason(for: status),
            status: status,
            detail: detail,
            instance: instance ?? request?.path,
            errors: violations.isEmpty ? nil : violations
        )
        var response = StoreResponse(status: status, headers: headers, body: Document(body).json)
        response.headers["Content-Type"] = "application/problem+json"
        return response
    }

    private struct Body: Encodable {
        let type: String
        let title: String
        let status: Int
        let detail: String?
        let instance: String?
        let errors: [Violation]?
    }
}

extension StoreResponse {
    /// Returns the reason phrase of a status code.
    static func reason(for status: Int) -> String {
        reasons[status] ?? "Status \(status)"
    }

    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
        422: "Unprocessable Content", 429: "Too Many Requests",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}
