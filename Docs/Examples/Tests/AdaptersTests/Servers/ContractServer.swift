import Foundation
import ProductKit

/// A server of the default contract, `Docs/openapi.yaml`.
///
/// The favorites of a user are the lines of a list without a name.
enum ContractServer {
    @Sendable static func response(
        to request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        guard let user = request.user else { return failure(401) }
        switch (request.method, request.path.first, request.path.count) {
        case ("GET", "products", 1):
            let ids = request.values(of: "ids")
            let items = content.items(
                matching: request.query["q"],
                ids: ids.isEmpty ? nil : ids
            )
            let favorites = content.favorites(of: user)
            return page(items.map { product($0, favorites) }, total: items.count, for: request)
        case ("GET", "products", 2):
            let item = content.items.first { $0.id == request.path[1] }
            return item.map { .object(product($0, content.favorites(of: user))) }
                ?? missing("products", request.path[1])
        case ("GET", "favorites", 1):
            let favorites = content.favorites(of: user)
            let items = favorites.reversed().compactMap { id in
                content.items.first { $0.id == id }
            }
            return page(items.map { product($0, favorites) }, total: items.count, for: request)
        case (_, "favorites", 2):
            return setFavorite(request.path[1], of: user, request, &content)
        case ("GET", "lists", 1):
            return page(content.lists(of: user).map(json), total: nil, for: request)
        case (_, "lists", 2):
            return list(request.path[1], of: user, request, &content)
        case (_, "lists", 4):
            return change(request.path[1], request.path[3], of: user, request, &content)
        default:
            return failure(404)
        }
    }

    /// Returns the same response, but 204 to a change of a favorite.
    @Sendable static func responseWithoutBody(
        to request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        let response = response(to: request, &content)
        let isChange = request.isWrite && request.path.first == "favorites"
        return isChange && response.statusCode == 200
            ? NetworkResponse(statusCode: 204) : response
    }

    @Sendable static func failure(_ statusCode: Int) -> NetworkResponse {
        problem(statusCode, ["detail": "It failed."])
    }

    private static func missing(_ path: String...) -> NetworkResponse {
        let url = path.reduce(URL.store) { $0.appending(component: $1) }
        return problem(404, ["instance": url.path(percentEncoded: true)])
    }

    private static func problem(_ statusCode: Int, _ members: [String: Any]) -> NetworkResponse {
        var response = NetworkResponse.object(members, statusCode: statusCode)
        response.headers["Content-Type"] = "application/problem+json"
        return response
    }

    private static func page(
        _ rows: [[String: Any]],
        total: Int?,
        for request: FakeRequest
    ) -> NetworkResponse {
        let start = request.query["cursor"].flatMap { Int($0) } ?? 0
        let end = start + (request.query["limit"].flatMap { Int($0) } ?? 20)
        var page: [String: Any] = ["items": Array(rows.dropFirst(start).prefix(end - start))]
        if end < rows.count { page["next"] = "\(end)" }
        page["total"] = total
        return .object(page)
    }
}

extension ContractServer {
    private static func setFavorite(
        _ id: String,
        of user: String,
        _ request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        let item = content.items.first { $0.id == id }
        guard request.method == "DELETE" || item != nil else { return missing("products", id) }
        let index = content.indexOfFavorites(of: user)
        if request.method == "DELETE" {
            content.lists[index].lines.removeAll { $0.product == id }
        } else if !content.favorites(of: user).contains(id) {
            content.lists[index].lines.append((content.nextID(), id))
        }
        return item.map { .object(product($0, content.favorites(of: user))) }
            ?? NetworkResponse(statusCode: 204)
    }

    private static func list(
        _ id: String,
        of user: String,
        _ request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        let index = content.lists.firstIndex { $0.id == id && $0.owner == user }
        let known = index.map { content.lists[$0] }
        let name = request.json["name"] as? String
        if request.method == "GET" { return known.map { response($0) } ?? missing("lists", id) }
        if let version = request.replacedVersion, version != known.map(tag(of:)) {
            return failure(412)
        }
        switch (request.method, index) {
        case ("PUT", let index?):
            guard request.condition != "*" || known?.name == name else { return failure(412) }
            if known?.name != name { content.lists[index].version += 1 }
            content.lists[index].name = name
            return response(content.lists[index])
        case ("PUT", nil):
            let list = FakeShop.List(id: id, owner: user, name: name)
            content.lists.append(list)
            return response(list, statusCode: 201)
        case ("DELETE", _):
            if let index { content.lists.remove(at: index) }
            return NetworkResponse(statusCode: 204)
        default:
            return failure(405)
        }
    }

    private static func change(
        _ id: String,
        _ product: String,
        of user: String,
        _ request: FakeRequest,
        _ content: inout FakeShop.Content
    ) -> NetworkResponse {
        let isRemoval = request.method == "DELETE"
        guard let index = content.lists.firstIndex(where: { $0.id == id && $0.owner == user })
        else { return isRemoval ? NetworkResponse(statusCode: 204) : missing("lists", id) }
        let isListed = content.lists[index].lines.contains { $0.product == product }
        guard isRemoval || isListed || content.items.contains(where: { $0.id == product })
        else { return missing("products", product) }
        if isListed == isRemoval { content.lists[index].version += 1 }
        if isRemoval {
            content.lists[index].lines.removeAll { $0.product == product }
        } else if !isListed {
            content.lists[index].lines.append((content.nextID(), product))
        }
        return NetworkResponse(statusCode: 204, headers: ["ETag": tag(of: content.lists[index])])
    }
}

extension ContractServer {
    private static func product(_ item: FakeShop.Item, _ favorites: [String]) -> [String: Any] {
        var product: [String: Any] = [
            "id": item.id, "isFavorite": favorites.contains(item.id),
            "prices": [["amount": item.price, "currency": "EUR"]],
        ]
        if !item.isDamaged { product["name"] = item.name }
        return product
    }

    private static func response(
        _ list: FakeShop.List,
        statusCode: Int = 200
    ) -> NetworkResponse {
        .object(json(list), statusCode: statusCode, headers: ["ETag": tag(of: list)])
    }

    private static func json(_ list: FakeShop.List) -> [String: Any] {
        var products: [String] = []
        for line in list.lines where !products.contains(line.product) {
            products.append(line.product)
        }
        return ["id": list.id, "name": list.name ?? "", "products": products]
    }

    private static func tag(of list: FakeShop.List) -> String { "\"\(list.version)\"" }
}

extension FakeShop.Content {
    fileprivate func lists(of user: String) -> [FakeShop.List] {
        lists.filter { $0.owner == user && $0.name != nil }
    }

    /// The identifiers of the favorites of a user, the oldest first.
    fileprivate func favorites(of user: String) -> [String] {
        lists.first { $0.owner == user && $0.name == nil }?.lines.map(\.product) ?? []
    }

    /// Returns the index of the list with the favorites of a user, which is created with the first.
    fileprivate mutating func indexOfFavorites(of user: String) -> Int {
        if let index = lists.firstIndex(where: { $0.owner == user && $0.name == nil }) {
            return index
        }
        lists.append(FakeShop.List(id: nextID(), owner: user))
        return lists.count - 1
    }
}

extension FakeRequest {
    /// The values of all query items with a name.
    fileprivate func values(of name: String) -> [String] {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return items.filter { $0.name == name }.compactMap(\.value)
    }
}
