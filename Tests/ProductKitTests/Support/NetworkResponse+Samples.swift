import Foundation
import ProductKit

extension NetworkResponse {
    /// An answer of JSON, written out.
    static func json(
        _ text: String,
        statusCode: Int = 200,
        headers: NetworkHeaders = [:]
    ) -> NetworkResponse {
        var headers = headers
        headers["Content-Type"] = "application/json"
        return NetworkResponse(statusCode: statusCode, headers: headers, body: Data(text.utf8))
    }

    /// An answer of problem details, written out.
    static func problem(_ text: String, statusCode: Int) -> NetworkResponse {
        NetworkResponse(
            statusCode: statusCode,
            headers: ["Content-Type": "application/problem+json"],
            body: Data(text.utf8)
        )
    }

    /// A web page where JSON was due.
    static let webPage = NetworkResponse(
        headers: ["Content-Type": "text/html; charset=utf-8"],
        body: Data("<!DOCTYPE html><title>Welcome</title>".utf8)
    )
}
