import Foundation
import ProductKit

/// A server in the format of the HTTP API of commercetools.
enum CommercetoolsServer {
    @Sendable static func response(
        to request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        switch (request.path.first, request.path.count) {
        case ("product-projections", 2) where request.path[1] != "search":
            let item = content.items.first { $0.id == request.path[1] }
            return item.map { .object(product($0)) } ?? failure(404)
        case ("product-projections", 2):
            let ids = request.query["filter.query"]?.dropFirst(3).split(separator: ",")
                .map { String($0.dropFirst().dropLast()).replacing("\\", with: "") }
            let items = content.items(matching: request.query["text.en"], ids: ids)
            return page(items.map(product), for: request)
        case ("me", 2):
            guard let user = request.user else { return failure(401) }
            return lists(of: user, request, &content)
        case ("me", 3):
            guard let user = request.user else { return failure(401) }
            return list(of: user, request, &content)
        default:
            return failure(404)
        }
    }

    @Sendable static func failure(_ statusCode: Int) -> NetworkResponse {
        .json(CommercetoolsFixtures.error(statusCode, "Code\(statusCode)"), statusCode: statusCode)
    }

    private static func lists(
        of user: String,
        _ request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        guard request.method == "POST" else {
            return page(content.lists.filter { $0.owner == user }.map(json), for: request)
        }
        let list = FakeShop.List(id: content.nextID(), owner: user, name: name(in: request.json))
        content.lists.append(list)
        return .object(json(list), statusCode: 201)
    }

    private static func list(
        of user: String,
        _ request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        let index = content.lists.firstIndex { $0.id == request.path[2] && $0.owner == user }
        guard let index else { return failure(404) }
        let version =
            request.json["version"] as? Int ?? request.query["version"].flatMap { Int($0) }
        guard request.method == "GET" || version == content.lists[index].version else {
            let error = CommercetoolsFixtures.error(409, "ConcurrentModification")
            return .json(error, statusCode: 409)
        }
        if request.method == "DELETE" { return .object(json(content.lists.remove(at: index))) }
        for action in request.json["actions"] as? [[String: Any]] ?? [] {
            guard perform(action, at: index, &content) else {
                let error = CommercetoolsFixtures.error(400, "ReferencedResourceNotFound")
                return .json(error, statusCode: 400)
            }
            content.lists[index].version += 1
        }
        return .object(json(content.lists[index]))
    }

    /// Returns whether the product of the action exists.
    private static func perform(
        _ action: [String: Any],
        at index: Int,
        _ content: inout FakeShop.Content
    ) -> Bool {
        switch action["action"] as? String {
        case "addLineItem":
            let product = action["productId"] as? String ?? ""
            guard content.items.contains(where: { $0.id == product }) else { return false }
            content.lists[index].lines.append((content.nextID(), product))
        case "removeLineItem":
            content.lists[index].lines.removeAll { $0.id == action["lineItemId"] as? String }
        default:
            content.lists[index].name = name(in: action)
        }
        return true
    }

    private static func name(in object: [String: Any]) -> String? {
        (object["name"] as? [String: String])?["en"]
    }

    private static func page(_ rows: [[String: Any]], for request: FakeRequest) -> NetworkResponse {
        let offset = request.query["offset"].flatMap { Int($0) } ?? 0
        let limit = request.query["limit"].flatMap { Int($0) } ?? 20
        let results = Array(rows.dropFirst(offset).prefix(limit))
        return .object(
            [
                "offset": offset, "count": results.count, "total": rows.count, "results": results,
            ] as [String: Any]
        )
    }

    private static func product(_ item: FakeShop.Item) -> [String: Any] {
        let cents = Int(item.price.replacing(".", with: "")) ?? 0
        let price: [String: Any] = [
            "type": "centPrecision", "currencyCode": "EUR", "centAmount": cents,
            "fractionDigits": 2,
        ]
        var product: [String: Any] = [
            "id": item.id, "masterVariant": ["prices": [["value": price]]],
        ]
        if !item.isDamaged { product["name"] = ["en": item.name] }
        return product
    }

    private static func json(_ list: FakeShop.List) -> [String: Any] {
        [
            "id": list.id, "version": list.version, "name": ["en": list.name ?? ""],
            "lineItems": list.lines.map { ["id": $0.id, "productId": $0.product] },
        ]
    }
}
