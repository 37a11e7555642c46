import Foundation
import ProductKit

extension NetworkResponse {
    /// A response with a JSON text.
    static func json(
        _ text: String,
        statusCode: Int = 200,
        headers: NetworkHeaders = [:]
    ) -> NetworkResponse {
        var headers = headers
        headers["Content-Type"] = "application/json"
        return NetworkResponse(statusCode: statusCode, headers: headers, body: Data(text.utf8))
    }

    /// A response with problem details (RFC 9457).
    static func problem(_ text: String, statusCode: Int) -> NetworkResponse {
        NetworkResponse(
            statusCode: statusCode,
            headers: ["Content-Type": "application/problem+json"],
            body: Data(text.utf8)
        )
    }

    /// The response of a server to a request for a product: fresh for a day, with an `ETag`.
    ///
    /// A conditional request with that `ETag` gets a 304.
    static func boots(_ product: Product = .boots, to request: URLRequest) throws -> NetworkResponse
    {
        let tag = product.isFavorite ? "\"2\"" : "\"1\""
        let headers: NetworkHeaders = ["ETag": tag, "Cache-Control": "max-age=86400"]
        if request.value(forHTTPHeaderField: "If-None-Match") == tag {
            return NetworkResponse(statusCode: 304, headers: headers, url: request.url)
        }
        var response = try NetworkResponse(headers: headers, json: product)
        response.url = request.url
        return response
    }

    /// A web page instead of JSON.
    static let webPage = NetworkResponse(
        headers: ["Content-Type": "text/html; charset=utf-8"],
        body: Data("<!DOCTYPE html><title>Welcome</title>".utf8)
    )

    /// A web page with a status code.
    static func webPage(statusCode: Int) -> NetworkResponse {
        var page = webPage
        page.statusCode = statusCode
        return page
    }
}
