import Foundation
import ProductKit

/// A shop over HTTP that carries out each request that it receives, and records it.
///
/// It adds a row for each addition, assigns the identifiers of lists, and ignores the
/// `Idempotency-Key`. The token of a request is the name of its user.
struct Shop: Sendable {
    struct List: Codable {
        var id: ProductList.ID
        var name: String
        var products: [Product.ID] = []
        /// The user who has created the list; `nil` if it is the list of every user.
        var user: String?
    }

    private struct Body: Decodable {
        var name: String?
        var product: Product.ID?
    }

    private struct Page<Element: Encodable>: Encodable {
        let items: [Element]
        let next: String?
    }

    typealias Responding =
        @Sendable (
            URLRequest, _ carryOut: @Sendable () throws -> NetworkResponse
        ) async throws -> NetworkResponse

    /// The products that a search finds, unless it is a search for identifiers.
    var products: [Product.ID] = []
    /// The maximum number of elements on a page.
    var pageSize = 100
    @Observed var lists: [List] = []
    @Observed var favorites: [Product.ID] = []
    /// The requests that arrived.
    @Observed var received: [URLRequest] = []
    /// Whether requests arrive.
    @Observed var isReachable = true
    /// Responds to a request that has arrived, and may let the shop carry it out.
    @Observed var respond: Responding = { _, carryOut in try carryOut() }

    /// The methods and paths of the requests that arrived.
    var requests: [String] { received.map { "\($0.httpMethod ?? "") \(Self.path(of: $0))" } }
    /// The same without the reads.
    var writes: [String] { requests.filter { !$0.hasPrefix("GET") } }
    /// The users of the requests that arrived.
    var users: [String] { received.map { $0.token ?? "guest" } }

    var networking: ClosureNetworking {
        .closure { request in
            guard isReachable else { throw NetworkError(.unreachable) }
            _received.change { $0.append(request) }
            return try await respond(request) { try carryOut(request) }
        }
    }

    /// The path of a request without that of the API, such as `lists/a`.
    static func path(of request: URLRequest) -> String {
        (request.url?.pathComponents ?? []).dropFirst(2).joined(separator: "/")
    }

    private func carryOut(_ request: URLRequest) throws -> NetworkResponse {
        let (method, user) = (request.httpMethod ?? "", request.token)
        let path = Self.path(of: request).split(separator: "/").map(String.init)
        let body = try request.httpBody.map { try JSONDecoder().decode(Body.self, from: $0) }
        switch (method, path[0], path.count) {
        case ("GET", "lists", 1):
            return try page(of: lists.filter { $0.user == nil || $0.user == user }, for: request)
        case ("POST", "lists", 1):
            let list = _lists.change { lists in
                let id = ProductList.ID("list\(lists.count + 1)")
                lists.append(List(id: id, name: body?.name ?? "", user: user))
                return lists[lists.endIndex - 1]
            }
            return try NetworkResponse(json: list)
        case (_, "lists", _):
            return try _lists.change { lists in
                guard let index = lists.firstIndex(where: { $0.id.rawValue == path[1] }) else {
                    return NetworkResponse(statusCode: 404)
                }
                switch (method, path.count) {
                case ("POST", 2): lists[index].name = body?.name ?? ""
                case ("POST", _): lists[index].products += [body?.product].compactMap(\.self)
                case ("DELETE", 2):
                    lists.remove(at: index)
                    return NetworkResponse(statusCode: 204)
                case ("DELETE", _): lists[index].products.removeAll { $0.rawValue == path[2] }
                default: break
                }
                return try NetworkResponse(json: lists[index])
            }
        case ("GET", _, 1):
            // By bytes, because a comma and an accent after it are one character.
            let ids = request.parameter("ids")?.utf8.split(separator: UInt8(ascii: ","))
                .map { Product.ID(String(decoding: $0, as: UTF8.self)) }
            // A search for identifiers has an order of its own.
            return try page(of: (ids?.reversed() ?? products).map(product), for: request)
        default:
            let id = Product.ID(path[path.endIndex - 1])
            if path[0] == "favorites" {
                _favorites.change { favorites in
                    favorites.removeAll { $0 == id }
                    if method != "DELETE" { favorites.append(id) }
                }
            }
            return try NetworkResponse(json: product(id))
        }
    }

    private func product(_ id: Product.ID) -> Product {
        Product(id: id, name: "Product", isFavorite: favorites.contains(id))
    }

    private func page<Element: Encodable>(
        of elements: [Element],
        for request: URLRequest
    ) throws -> NetworkResponse {
        let start = request.parameter("page").flatMap { Int($0) } ?? 0
        let end = min(start + pageSize, elements.count)
        let next = end < elements.count ? "\(end)" : nil
        return try NetworkResponse(json: Page(items: Array(elements[start..<end]), next: next))
    }
}

extension URLRequest {
    /// The value of a parameter of the query.
    fileprivate func parameter(_ name: String) -> String? {
        url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }?
            .queryItems?.first { $0.name == name }?.value
    }
}

extension ProductLoader {
    /// Creates a loader for a ``Shop``, whose favorites are added with `POST`.
    static func shop(_ client: NetworkClient) -> ProductLoader {
        ProductLoader(
            load: { id in try await client.send(.get("products", id)) },
            search: { query, cursor in
                let ids = query.ids.isEmpty ? nil : query.ids.map(\.rawValue).joined(separator: ",")
                return try await client.send(
                    .get("products", query: ["ids": ids, "page": cursor?.rawValue])
                )
            },
            setFavorite: { id, isFavorite in
                let request = NetworkRequest<Product>(
                    method: isFavorite ? "POST" : "DELETE",
                    segments: ["favorites", id.rawValue],
                    decode: { response in try response.json() }
                )
                return try await client.send(request)
            }
        )
    }
}

extension ListManager {
    /// Creates a manager for the lists of a ``Shop``, with a closure that loads one list or
    /// without, and with the identifier of the client as key of a creation or without.
    static func shop(
        _ client: NetworkClient,
        canLoadOne: Bool = true,
        creationKey: Bool = false
    ) -> ListManager {
        let loadOne: @Sendable (ProductList.ID) async throws -> ProductList = { id in
            try await client.send(.get("lists", id))
        }
        return ListManager(
            addProduct: { product, list in
                let request = NetworkRequest<Void>.post("lists", list, "rows")
                try await client.send(request.json(["product": product]))
            },
            removeProduct: { product, list in
                try await client.send(.delete("lists", list, product))
            },
            lists: { cursor in
                try await client.send(.get("lists", query: ["page": cursor?.rawValue]))
            },
            list: canLoadOne ? loadOne : nil,
            create: { id, name in
                let request = NetworkRequest<ProductList>.post("lists").json(["name": name])
                return try await client.send(
                    request.header("Idempotency-Key", creationKey ? id.rawValue : nil)
                )
            },
            rename: { id, name, _ in
                try await client.send(
                    NetworkRequest<ProductList>.post("lists", id).json(["name": name])
                )
            },
            delete: { id in try await client.send(.delete("lists", id)) }
        )
    }
}
