import Foundation
import ProductKit

/// A server in the format of Shopify's Storefront API.
enum ShopifyServer {
    @Sendable static func response(
        to request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        let document = request.json["query"] as? String ?? ""
        let variables = request.json["variables"] as? [String: Any] ?? [:]
        if document.contains("selectedOrFirstAvailableVariant") {
            let item = item(variables["id"], in: content)
            let variant = item.map { ["selectedOrFirstAvailableVariant": ["id": $0.id]] }
            return data("product", variant)
        }
        if document.contains("product(id:") {
            return data("product", item(variables["id"], in: content).map(product))
        }
        if document.contains("nodes(ids:") {
            let ids = variables["ids"] as? [String] ?? []
            return data("nodes", ids.map { orNull(item($0, in: content).map(product)) })
        }
        if document.contains("products(") { return products(variables, content) }
        if document.contains("cart(id:") {
            return data("cart", index(variables, in: content).map { json(content.lists[$0]) })
        }
        return change(document, variables, &content)
    }

    @Sendable static func failure(_ statusCode: Int) -> NetworkResponse {
        .object(["errors": "It failed."], statusCode: statusCode)
    }

    private static func products(
        _ variables: [String: Any],
        _ content: FakeShop.Content
    ) -> NetworkResponse {
        let items = content.items(matching: variables["query"] as? String, ids: nil)
        let start = (variables["after"] as? String).flatMap { Int($0) } ?? 0
        let end = start + (variables["first"] as? Int ?? 20)
        let pageInfo: [String: Any] = ["hasNextPage": end < items.count, "endCursor": "\(end)"]
        let nodes = items.dropFirst(start).prefix(end - start).map(product)
        return data("products", ["nodes": nodes, "pageInfo": pageInfo] as [String: Any])
    }

    private static func change(
        _ document: String,
        _ variables: [String: Any],
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        let mutations = ["cartCreate", "cartLinesAdd", "cartLinesRemove", "cartAttributesUpdate"]
        guard let mutation = mutations.first(where: { document.contains("\($0)(") }) else {
            return failure(400)
        }
        if mutation == "cartCreate" {
            let id = "gid://shopify/Cart/\(content.nextID())?key=1"
            content.lists.append(FakeShop.List(id: id, owner: nil))
        }
        guard
            let index = mutation == "cartCreate"
                ? content.lists.count - 1 : index(variables, in: content)
        else {
            let error = ["code": "INVALID", "message": "The specified cart does not exist."]
            return data(mutation, ["cart": NSNull(), "userErrors": [error]] as [String: Any])
        }
        if let variant = variables["variant"] as? String {
            content.lists[index].lines.append((content.nextID(), variant))
        }
        let removed = variables["lines"] as? [String] ?? []
        content.lists[index].lines.removeAll { removed.contains($0.id) }
        if let name = variables["name"] as? String { content.lists[index].name = name }
        let result: [String: Any] = [
            "cart": json(content.lists[index]), "userErrors": [] as [String],
        ]
        return data(mutation, result)
    }

    private static func item(_ id: Any?, in content: FakeShop.Content) -> FakeShop.Item? {
        content.items.first { $0.id == id as? String }
    }

    private static func index(_ variables: [String: Any], in content: FakeShop.Content) -> Int? {
        content.lists.firstIndex { $0.id == variables["cart"] as? String }
    }

    private static func data(_ member: String, _ value: Any?) -> NetworkResponse {
        .object(["data": [member: orNull(value)]])
    }

    private static func orNull(_ value: Any?) -> Any { value ?? NSNull() }

    private static func product(_ item: FakeShop.Item) -> [String: Any] {
        var product: [String: Any] = [
            "id": item.id, "availableForSale": true,
            "priceRange": ["minVariantPrice": ["amount": item.price, "currencyCode": "EUR"]],
        ]
        if !item.isDamaged { product["title"] = item.name }
        return product
    }

    private static func json(_ list: FakeShop.List) -> [String: Any] {
        let lines = list.lines.map { line in
            ["id": line.id, "merchandise": ["product": ["id": line.product]]] as [String: Any]
        }
        return [
            "id": list.id, "attribute": orNull(list.name.map { ["value": $0] }),
            "lines": ["nodes": lines],
        ]
    }
}
