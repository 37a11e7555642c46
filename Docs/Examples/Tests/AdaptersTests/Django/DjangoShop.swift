import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// A shop as Django REST framework serves it: every path ends in a slash, prices and availability
/// have URLs of their own, and each user has wish lists.
///
/// A path without a final slash is redirected for `GET` and `HEAD`, and is an error for writes.
final class DjangoShop: Sendable {
    struct WishList {
        var id: Int
        var name: String
        var lines: [(id: Int, product: Int)] = []
    }

    private struct State {
        var wishLists: [String: [WishList]] = [:]
        var lastID = 0
        var requests: [String] = []
        var isBroken = false
    }

    private let state = Mutex(State())

    /// The requests as method and path, in the order in which they arrived.
    var requests: [String] { state.withLock(\.requests) }

    /// Whether every response is a failure of the server.
    var isBroken: Bool {
        get { state.withLock(\.isBroken) }
        set { state.withLock { $0.isBroken = newValue } }
    }

    /// Returns the wish lists of a user.
    func wishLists(of user: String) -> [WishList] { state.withLock { $0.wishLists[user] ?? [] } }

    /// Serves on a free port of this computer while a closure runs.
    func serve<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: 0),
            timeout: 120,
            logger: .disabled,
            handler: ClosureHTTPHandler { [self] request in try await response(to: request) }
        )
        let task = Task { try await server.run() }
        defer { task.cancel() }
        try await server.waitUntilListening(timeout: 120)
        guard case .ip4(_, let port) = await server.listeningAddress,
            let url = URL(string: "http://127.0.0.1:\(port)/api")
        else { throw CancellationError() }
        return try await body(url)
    }
}

// MARK: - Responses

extension DjangoShop {
    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        let path = request.target.path()
        let body = try await request.bodyData
        let query = request.query.reduce(into: [:]) { $0[$1.name] = $1.value }
        let isBroken = state.withLock { state in
            state.requests.append("\(request.method.rawValue) \(path)")
            return state.isBroken
        }
        guard !isBroken else { return HTTPResponse(statusCode: .internalServerError) }
        guard path.hasSuffix("/") else {
            guard request.method == .GET else {
                return json(["detail": "The path must end in a slash."], .internalServerError)
            }
            return HTTPResponse(
                statusCode: .movedPermanently,
                headers: HTTPHeaders([.location: path + "/"])
            )
        }
        let parts = path.split(separator: "/").dropFirst().map(String.init)
        return switch (parts.first, request.method) {
        case ("products", .GET): product(parts.dropFirst().map(\.self), query)
        case ("wishlists", _): wishLists(request, parts.dropFirst().map(\.self), body)
        default: notFound
        }
    }

    private func product(_ parts: [String], _ query: [String: String]) -> HTTPResponse {
        guard let first = parts.first else { return products(query) }
        guard let id = Int(first), (1...60).contains(id) else { return notFound }
        return switch parts.dropFirst().first {
        case "price": json(["currency": "EUR", "excl_tax": "8.40", "incl_tax": "\(id).99"])
        case "availability": json(["is_available_to_buy": id % 7 != 0, "num_available": id % 7])
        case nil:
            json([
                "id": id, "title": "Product \(id)",
                "description": "<p>Made of steel &amp; wood.</p>",
                "images": [["original": "https://images.example/\(id).jpg"]],
                "date_updated": "2026-08-01T10:00:00.250000Z",
            ])
        default: notFound
        }
    }

    private func products(_ query: [String: String]) -> HTTPResponse {
        let size = query["page_size"].flatMap { Int($0) } ?? 20
        let page = query["page"].flatMap { Int($0) } ?? 1
        let text = query["search"].map { "Product \($0)" }
        let all = (1...60).filter { text == nil || text == "Product \($0)" }
        let rows = all.dropFirst((page - 1) * size).prefix(size)
        let next = "http://127.0.0.1/api/products/?page=\(page + 1)&page_size=\(size)"
        return json([
            "count": all.count, "previous": NSNull(),
            "next": page * size < all.count ? next : NSNull(),
            "results": rows.map { ["id": $0, "title": "Product \($0)"] },
        ])
    }

    private func wishLists(
        _ request: HTTPRequest,
        _ parts: [String],
        _ body: Data
    ) -> HTTPResponse {
        guard let token = request.headers[.authorization], token.hasPrefix("Token ") else {
            return json(
                ["detail": "Authentication credentials were not provided."],
                .unauthorized
            )
        }
        let user = String(token.dropFirst(6))
        let input = (try? JSONSerialization.jsonObject(with: body)) as? [String: String] ?? [:]
        return state.withLock { state in
            var lists = state.wishLists[user] ?? []
            defer { state.wishLists[user] = lists }
            guard let id = parts.first.flatMap({ Int($0) }) else {
                guard request.method == .POST else {
                    return json(["count": lists.count, "results": lists.map(\.json)])
                }
                guard let name = input["name"], !name.isEmpty else {
                    return json(["name": ["This field may not be blank."]], .badRequest)
                }
                state.lastID += 1
                lists.append(WishList(id: state.lastID, name: name))
                return json(lists[lists.count - 1].json, .created)
            }
            guard let index = lists.firstIndex(where: { $0.id == id }) else { return notFound }
            switch (request.method, parts.count) {
            case (.GET, 1): break
            case (.PUT, 1): lists[index].name = input["name"] ?? ""
            case (.DELETE, 1):
                lists.remove(at: index)
                return HTTPResponse(statusCode: .noContent)
            case (.POST, 2):
                guard let product = input["product"].flatMap({ Int($0) }), product <= 60 else {
                    return notFound
                }
                state.lastID += 1
                lists[index].lines.append((state.lastID, product))
                return HTTPResponse(statusCode: .created)
            case (.DELETE, 3):
                lists[index].lines.removeAll { String($0.id) == parts[2] }
                return HTTPResponse(statusCode: .noContent)
            default: return notFound
            }
            return json(lists[index].json)
        }
    }

    private var notFound: HTTPResponse { json(["detail": "Not found."], .notFound) }

    private func json(_ value: [String: Any], _ status: HTTPStatusCode = .ok) -> HTTPResponse {
        let body = (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
        return HTTPResponse(
            statusCode: status,
            headers: HTTPHeaders([.contentType: "application/json"]),
            body: body
        )
    }
}

extension DjangoShop.WishList {
    fileprivate var json: [String: Any] {
        ["id": id, "name": name, "lines": lines.map { ["id": $0.id, "product": $0.product] }]
    }
}
