import Foundation
import ProductKit

/// A server in the format of a shop made with Django REST framework.
enum DjangoServer {
    @Sendable static func response(
        to request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        guard request.url.path(percentEncoded: true).hasSuffix("/") else { return failure(500) }
        let rest = Array(request.path.dropFirst())
        switch request.path.first {
        case "products":
            return rest.isEmpty ? page(of: content, for: request) : product(rest, in: content)
        case "wishlists":
            guard let user = request.user else { return failure(401) }
            return lists(of: user, rest, request, &content)
        default:
            return failure(404)
        }
    }

    @Sendable static func failure(_ statusCode: Int) -> NetworkResponse {
        .object(["detail": "It failed."], statusCode: statusCode)
    }

    private static func page(
        of content: FakeShop.Content,
        for request: FakeRequest
    ) -> NetworkResponse {
        let items = content.items(matching: request.query["search"], ids: nil)
        let size = request.query["page_size"].flatMap { Int($0) } ?? 20
        let number = request.query["page"].flatMap { Int($0) } ?? 1
        var page: [String: Any] = ["count": items.count, "next": NSNull()]
        page["results"] = items.dropFirst((number - 1) * size).prefix(size).map(summary)
        if number * size < items.count {
            let query = [URLQueryItem(name: "page", value: "\(number + 1)")]
            page["next"] = request.url.appending(queryItems: query).absoluteString
        }
        return .object(page)
    }

    private static func product(
        _ path: [String],
        in content: FakeShop.Content
    ) -> NetworkResponse {
        guard let item = content.items.first(where: { $0.id == path[0] }) else {
            return failure(404)
        }
        switch path.dropFirst().first {
        case "price": return .object(["currency": "EUR", "incl_tax": item.price])
        case "availability": return .object(["is_available_to_buy": true])
        case nil:
            let details = ["description": "<p>\(item.name)</p>"]
            return .object(summary(item).merging(details) { $1 })
        default: return failure(404)
        }
    }

    private static func summary(_ item: FakeShop.Item) -> [String: Any] {
        item.isDamaged ? ["id": item.id] : ["id": item.id, "title": item.name]
    }

    private static func lists(
        of user: String,
        _ path: [String],
        _ request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        guard let id = path.first else {
            guard request.method == "POST" else {
                let lists = content.lists.filter { $0.owner == user }
                return .object(["count": lists.count, "results": lists.map(json)] as [String: Any])
            }
            let name = request.json["name"] as? String
            let list = FakeShop.List(id: content.nextID(), owner: user, name: name)
            content.lists.append(list)
            return .object(json(list), statusCode: 201)
        }
        guard let index = content.lists.firstIndex(where: { $0.id == id && $0.owner == user })
        else { return failure(404) }
        switch (request.method, path.count) {
        case ("PUT", 1):
            content.lists[index].name = request.json["name"] as? String
        case ("DELETE", 1):
            content.lists.remove(at: index)
            return NetworkResponse(statusCode: 204)
        case ("POST", 2):
            let product = request.json["product"] as? String ?? ""
            guard content.items.contains(where: { $0.id == product }) else { return failure(404) }
            content.lists[index].lines.append((content.nextID(), product))
        case ("DELETE", 3):
            content.lists[index].lines.removeAll { $0.id == path[2] }
            return NetworkResponse(statusCode: 204)
        default: break
        }
        return .object(json(content.lists[index]))
    }

    private static func json(_ list: FakeShop.List) -> [String: Any] {
        [
            "id": list.id, "name": list.name ?? "",
            "lines": list.lines.map { ["id": $0.id, "product": $0.product] },
        ]
    }
}
