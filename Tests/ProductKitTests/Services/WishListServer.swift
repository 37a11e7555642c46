import Foundation
import ProductKit
import Synchronization

/// A server with wish lists, two on each page, that assigns their identifiers.
final class WishListServer: Sendable {
    private struct List {
        let id: Int
        var name: String
        var products: [Int] = []

        var json: String {
            let items = products.enumerated().map { #"{"line": \#(100 + $0), "product": \#($1)}"# }
            return
                #"{"id": \#(id), "name": "\#(name)", "items": [\#(items.joined(separator: ","))]}"#
        }
    }

    private struct State {
        var lists: [List] = []
        var lastID = 0
        var createdID: Int?
        var requests: [String] = []
        var losesCreation = false
        var refusesCreation = false
        var isHidingCreated = false
        var addsToTotal = false
    }

    private let state = Mutex(State())

    /// The requests that arrived, with their bodies.
    var requests: [String] { state.withLock(\.requests) }

    /// The names of the lists.
    var names: [String] { state.withLock { $0.lists.map(\.name) } }

    /// Whether the response to the next creation is lost.
    var losesCreation: Bool {
        get { state.withLock(\.losesCreation) }
        set { state.withLock { $0.losesCreation = newValue } }
    }

    /// Whether creations are refused.
    var refusesCreation: Bool {
        get { state.withLock(\.refusesCreation) }
        set { state.withLock { $0.refusesCreation = newValue } }
    }

    /// Whether the list that was created last is not listed yet.
    var isHidingCreated: Bool {
        get { state.withLock(\.isHidingCreated) }
        set { state.withLock { $0.isHidingCreated = newValue } }
    }

    /// Whether each page has another total, as while lists are created and deleted.
    var addsToTotal: Bool {
        get { state.withLock(\.addsToTotal) }
        set { state.withLock { $0.addsToTotal = newValue } }
    }

    /// Adds a list as another device does.
    func add(_ name: String) {
        state.withLock { state in
            state.lastID += 1
            state.lists.append(List(id: state.lastID, name: name))
        }
    }

    /// Removes all lists.
    func removeAll() {
        state.withLock { $0.lists = [] }
    }

    /// Responds to a request.
    @Sendable func respond(to request: URLRequest) throws -> NetworkResponse {
        let line = request.line.replacing("https://api.example.com/v1/", with: "")
        let body = request.httpBody.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
        let path = (request.url?.pathComponents ?? []).dropFirst(4)
        return try state.withLock { state in
            state.requests.append(line + body)
            return try Self.respond(
                to: request.httpMethod ?? "GET",
                Array(path),
                query: request.url?.query(),
                body: request.httpBody ?? Data(),
                &state
            )
        }
    }

    private static func respond(
        to method: String,
        _ path: [String],
        query: String?,
        body: Data,
        _ state: inout State
    ) throws -> NetworkResponse {
        switch (method, path.count) {
        case ("GET", 0):
            let hidden = state.isHidingCreated ? state.createdID : nil
            let visible = state.lists.filter { $0.id != hidden }
            let isSecond = query?.hasSuffix("page=2") == true
            let rest = isSecond ? visible.dropFirst(2) : visible.prefix(2)
            let next = !isSecond && visible.count > 2 ? #""?page=2""# : "null"
            let lists = rest.map(\.json).joined(separator: ",")
            let total = visible.count + (state.addsToTotal ? state.requests.count : 0)
            return .json(#"{"data": [\#(lists)], "next": \#(next), "total": \#(total)}"#)
        case ("POST", 0):
            guard !state.refusesCreation else { return NetworkResponse(statusCode: 422) }
            let name = try JSONDecoder().decode(Draft.self, from: body).name ?? ""
            state.lastID += 1
            state.createdID = state.lastID
            state.lists.append(List(id: state.lastID, name: name))
            if state.losesCreation {
                state.losesCreation = false
                throw NetworkError(.connectionLost)
            }
            return .json(#"{"data": \#(List(id: state.lastID, name: name).json)}"#)
        default: break
        }
        guard let index = state.lists.firstIndex(where: { "\($0.id)" == path[0] }) else {
            return NetworkResponse(statusCode: 404)
        }
        switch (method, path.count) {
        case ("PUT", 1), ("PATCH", 1):
            state.lists[index].name = try JSONDecoder().decode(Draft.self, from: body).title ?? ""
        case ("DELETE", 1):
            state.lists.remove(at: index)
            return NetworkResponse(statusCode: 204)
        case ("POST", 2):
            let product = try JSONDecoder().decode(Draft.self, from: body).product ?? 0
            guard product != 404 else { return NetworkResponse(statusCode: 404) }
            state.lists[index].products.append(product)
        case ("DELETE", 3):
            state.lists[index].products.removeAll()
            return NetworkResponse(statusCode: 204)
        default: break
        }
        return .json(#"{"data": \#(state.lists[index].json)}"#)
    }

    private struct Draft: Decodable {
        var name: String?
        var title: String?
        var product: Int?
    }
}

extension ListManager {
    /// Creates a manager for the lists of a ``WishListServer``.
    static func wishLists(
        _ client: NetworkClient,
        path: @escaping @Sendable () throws -> String = { "my" },
        query: @escaping @Sendable () throws -> [String: String?] = { [:] },
        loadsListsTogether: Bool = false,
        patchesNames: Bool = false
    ) -> ListManager {
        struct List: Decodable {
            let id: ProductList.ID
            let name: String
            let items: [[String: Int]]
        }
        struct NewList: Encodable {
            let name: String
            let owner: Int
        }
        return ListManager(
            client: client,
            path: [try path(), "lists"],
            lines: "items",
            inside: "data",
            pages: PageFormat(items: "data", next: "next", total: "total"),
            query: query,
            loadsListsTogether: loadsListsTogether,
            patchesNames: patchesNames,
            contents: { (list: List, _) in
                guard list.name != "Registry" else { return nil }
                guard !list.name.isEmpty else {
                    return try MemberPath("name").reading {
                        throw InvalidIdentifier(list.name)
                    }
                }
                let lines = list.items.map { item in
                    ListLines.Line(
                        id: "\(item["line"] ?? 0)",
                        product: "\(item["product"] ?? 0)"
                    )
                }
                return ListLines.Contents(id: list.id, name: list.name, lines: lines, version: "1")
            },
            newList: { NewList(name: $0, owner: 7) },
            newName: { ["title": $0] },
            newLine: { ["product": try $0.integer] }
        )
    }
}
