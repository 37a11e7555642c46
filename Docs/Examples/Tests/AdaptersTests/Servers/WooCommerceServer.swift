import Foundation
import ProductKit

/// A server in the format of WooCommerce's Store API, version 1.
///
/// As the real one, it requires a nonce for writes to lists, and forbids to store the responses of a user who has
/// signed in. The responses about one list have a nonce, which is replaced after each write. Those about all lists,
/// and the refusals of a guest, have none. Its messages are HTML.
enum WooCommerceServer {
    @Sendable static func response(
        to request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        var response = cacheableResponse(to: request, &content)
        if request.user != nil {
            response.headers["Cache-Control"] =
                "no-cache, must-revalidate, max-age=0, no-store, private"
        }
        return response
    }

    @Sendable static func failure(_ statusCode: Int) -> NetworkResponse {
        failure(statusCode, "woocommerce_rest_error", "It failed.")
    }

    private static func cacheableResponse(
        to request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        switch (request.method, request.path.first, request.path.count) {
        case ("GET", "products", 1):
            return page(of: content, for: request)
        case ("GET", "products", 2):
            let item = content.items.first { $0.id == request.path[1] }
            return item.map { .object(product($0)) }
                ?? failure(404, "woocommerce_rest_product_invalid_id", "Invalid product ID.")
        case (_, "shopper-lists", let depth):
            guard let user = request.user else {
                return failure(401, "rest_forbidden", "Sorry, you are not allowed to do that.")
            }
            var response = lists(of: user, request, &content)
            guard depth > 1 else { return response }
            if request.method != "GET", response.statusCode < 400 { content.nonceNumber += 1 }
            response.headers["Nonce"] = "n\(content.nonceNumber)"
            return response
        default:
            return .json(WooCommerceFixtures.noRoute, statusCode: 404)
        }
    }

    private static func failure(
        _ statusCode: Int,
        _ code: String,
        _ message: String
    ) -> NetworkResponse {
        let error: [String: Any] = [
            "code": code, "message": message, "data": ["status": statusCode],
        ]
        return .object(error, statusCode: statusCode)
    }

    private static func lists(
        of user: String,
        _ request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        if request.method != "GET" {
            guard let nonce = request.nonce else {
                return failure(401, "woocommerce_rest_missing_nonce", "Missing the Nonce header.")
            }
            guard nonce == "n\(content.nonceNumber)" else {
                return failure(403, "woocommerce_rest_invalid_nonce", "Nonce is invalid.")
            }
        }
        guard request.path.count > 1 else {
            let lists = slugs.map { slug in
                let items = content.lists[place(of: slug, user, in: &content)].lines.map(line)
                return ["slug": slug, "item_count": items.count, "items": items]
            }
            return .object(lists)
        }
        guard slugs.contains(request.path[1]) else {
            return failure(
                404,
                "woocommerce_rest_shopper_list_not_found",
                "Your saved list isn&#039;t available right now."
            )
        }
        let index = place(of: request.path[1], user, in: &content)
        switch (request.method, request.path.count) {
        case ("GET", 3):
            return .object(content.lists[index].lines.map(line))
        case ("POST", 3):
            let product = (request.json["product_id"] as? Int).map(String.init) ?? ""
            guard content.items.contains(where: { $0.id == product }) else {
                return failure(
                    404,
                    "woocommerce_rest_shopper_list_unknown_product",
                    "No product exists for the supplied item."
                )
            }
            content.lists[index].lines.append((content.nextID(), product))
            return .object(line(content.lists[index].lines.last ?? ("", "")), statusCode: 201)
        case ("DELETE", 4):
            let count = content.lists[index].lines.count
            content.lists[index].lines.removeAll { $0.id == request.path[3] }
            guard content.lists[index].lines.count < count else {
                return failure(
                    404,
                    "woocommerce_rest_shopper_list_item_not_found",
                    "That item isn&#039;t in your saved list anymore."
                )
            }
            return NetworkResponse(statusCode: 204)
        default:
            return .json(WooCommerceFixtures.noRoute, statusCode: 404)
        }
    }

    private static let slugs = ["saved-for-later", "wishlist"]

    /// Returns the place of a list, which each user has from the first request on.
    private static func place(
        of slug: String,
        _ user: String,
        in content: inout FakeShop.Content
    ) -> Int {
        if let index = content.lists.firstIndex(where: { $0.owner == user && $0.id == slug }) {
            return index
        }
        content.lists.append(FakeShop.List(id: slug, owner: user))
        return content.lists.count - 1
    }

    private static func line(_ line: (id: String, product: String)) -> [String: Any] {
        // The identifier of a saved variation is not that of its product.
        let product = Int(line.product) ?? 0
        return [
            "key": line.id, "id": product + 1_000, "product_id": product,
            "variation_id": product + 1_000, "quantity": 1, "is_live": true,
        ]
    }

    private static func page(
        of content: FakeShop.Content,
        for request: FakeRequest
    ) -> NetworkResponse {
        let ids = request.query["include"]?.split(separator: ",").map(String.init)
        let items = content.items(matching: request.query["search"], ids: ids)
        let size = request.query["per_page"].flatMap { Int($0) } ?? 10
        let number = request.query["page"].flatMap { Int($0) } ?? 1
        let rows = items.dropFirst((number - 1) * size).prefix(size).map(product)
        let headers: NetworkHeaders = [
            "X-WP-Total": "\(items.count)",
            "X-WP-TotalPages": "\((items.count + size - 1) / size)",
        ]
        return .object(rows, headers: headers)
    }

    private static func product(_ item: FakeShop.Item) -> [String: Any] {
        let prices: [String: Any] = [
            "price": item.price.replacing(".", with: ""), "currency_code": "EUR",
            "currency_minor_unit": 2,
        ]
        var product: [String: Any] = [
            "id": Int(item.id) ?? item.id, "prices": prices, "is_in_stock": true,
            "description": "<p>\(item.name) &amp; more</p>",
        ]
        if !item.isDamaged { product["name"] = item.name }
        return product
    }
}
