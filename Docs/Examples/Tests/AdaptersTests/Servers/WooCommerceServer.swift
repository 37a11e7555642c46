import Foundation
import ProductKit

/// A server in the format of WooCommerce's REST API, version 3.
enum WooCommerceServer {
    @Sendable static func response(
        to request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        switch (request.method, request.path.first, request.path.count) {
        case ("GET", "products", 1):
            return page(of: content, for: request)
        case ("GET", "products", 2):
            let item = content.items.first { $0.id == request.path[1] }
            return item.map { .object(product($0)) } ?? failure(404)
        default:
            return .json(WooCommerceFixtures.noRoute, statusCode: 404)
        }
    }

    @Sendable static func failure(_ statusCode: Int) -> NetworkResponse {
        let error: [String: Any] = [
            "code": "woocommerce_rest_error", "message": "It failed.", "data": [:] as [String: Any],
        ]
        return .object(error, statusCode: statusCode)
    }

    private static func page(
        of content: FakeShop.Content,
        for request: FakeRequest
    ) -> NetworkResponse {
        let ids = request.query["include"]?.split(separator: ",").map(String.init)
        let items = content.items(matching: request.query["search"], ids: ids)
        let size = request.query["per_page"].flatMap { Int($0) } ?? 10
        let number = request.query["page"].flatMap { Int($0) } ?? 1
        var headers: NetworkHeaders = ["X-WP-Total": "\(items.count)"]
        if number * size < items.count {
            let page = URLQueryItem(name: "page", value: "\(number + 1)")
            let next = request.url.appending(queryItems: [page])
            headers["Link"] = "<\(next.absoluteString)>; rel=\"next\""
        }
        let rows = items.dropFirst((number - 1) * size).prefix(size).map(product)
        return .object(rows, headers: headers)
    }

    private static func product(_ item: FakeShop.Item) -> [String: Any] {
        var product: [String: Any] = [
            "id": Int(item.id) ?? item.id, "price": item.price, "stock_status": "instock",
            "description": "<p>\(item.name) &amp; more</p>",
        ]
        if !item.isDamaged { product["name"] = item.name }
        return product
    }
}
