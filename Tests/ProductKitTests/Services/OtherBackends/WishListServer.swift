import Foundation
import ProductKit

/// A server with wish lists, two on each page, that assigns their identifiers.
struct WishListServer: Sendable {
    struct List {
        let id: Int
        var name: String
        var products: [Int] = []

        fileprivate var json: String {
            let items = products.enumerated().map { #"{"line": \#(100 + $0), "product": \#($1)}"# }
            return
                #"{"id": \#(id), "name": "\#(name)", "items": [\#(items.joined(separator: ","))]}"#
        }
    }

    @Observed var lists: [List] = []
    @Observed private var lastID = 0
    @Observed private var createdID: Int? = nil
    /// The requests that arrived, with their bodies.
    @Observed var requests: [String] = []
    /// Whether the response to the next creation is lost.
    @Observed var losesCreation = false
    /// Whether creations are refused.
    @Observed var refusesCreation = false
    /// Whether the list that was created last is not listed yet.
    @Observed var isHidingCreated = false
    /// Whether each page has another total, as while lists are created and deleted.
    @Observed var addsToTotal = false
    /// Whether the lists of a page have no lines.
    @Observed var pagesOmitLines = false
    /// Whether the response to a new name has no body.
    @Observed var omitsRenamed = false
    /// How often the second page does not exist anymore.
    @Observed var missingPages = 0

    /// The names of the lists.
    var names: [String] { lists.map(\.name) }

    /// Adds a list as another device does.
    @discardableResult func add(_ name: String) -> List {
        let list = List(id: _lastID.next(), name: name)
        _lists.change { $0.append(list) }
        return list
    }

    /// Responds to a request.
    @Sendable func respond(to request: URLRequest) throws -> NetworkResponse {
        let line = request.line.replacing("https://api.example.com/v1/", with: "")
        let body = request.httpBody.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
        let path = (request.url?.pathComponents ?? []).dropFirst(4)
        _requests.add(line + body)
        return try respond(to: request, Array(path))
    }

    private func respond(to request: URLRequest, _ path: [String]) throws -> NetworkResponse {
        let draft = try? JSONDecoder().decode(Draft.self, from: request.httpBody ?? Data())
        let method = request.httpMethod
        switch (method, path.count) {
        case ("GET", 0):
            let hidden = isHidingCreated ? createdID : nil
            let visible = lists.filter { $0.id != hidden }
            let isSecond = request.url?.query()?.hasSuffix("page=2") == true
            if isSecond, missingPages > 0 {
                missingPages -= 1
                return NetworkResponse(statusCode: 404)
            }
            let rest = isSecond ? visible.dropFirst(2) : visible.prefix(2)
            let next = !isSecond && visible.count > 2 ? #""?page=2""# : "null"
            let page = rest.map { list in
                pagesOmitLines ? #"{"id": \#(list.id), "name": "\#(list.name)"}"# : list.json
            }
            .joined(separator: ",")
            let total = visible.count + (addsToTotal ? requests.count : 0)
            return .json(#"{"data": [\#(page)], "next": \#(next), "total": \#(total)}"#)
        case ("POST", 0):
            guard !refusesCreation else { return NetworkResponse(statusCode: 422) }
            let list = add(draft?.name ?? "")
            createdID = list.id
            if losesCreation {
                losesCreation = false
                throw NetworkError(.connectionLost)
            }
            return .json(#"{"data": \#(list.json)}"#)
        default: break
        }
        guard let index = lists.firstIndex(where: { "\($0.id)" == path[0] }) else {
            return NetworkResponse(statusCode: 404)
        }
        switch (method, path.count) {
        case ("PUT", 1), ("PATCH", 1), ("POST", 1):
            lists[index].name = draft?.title ?? ""
            if omitsRenamed { return NetworkResponse(statusCode: 204) }
        case ("DELETE", 1):
            lists.remove(at: index)
            return NetworkResponse(statusCode: 204)
        case ("POST", 2):
            guard let product = draft?.product, product != 404 else {
                return NetworkResponse(statusCode: 404)
            }
            lists[index].products.append(product)
        case ("DELETE", 3):
            lists[index].products.removeAll()
            return NetworkResponse(statusCode: 204)
        default: break
        }
        return .json(#"{"data": \#(lists[index].json)}"#)
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
        pageQuery: @escaping @Sendable () throws -> [String: String?] = { [:] },
        loadsListsTogether: Bool = false,
        loadsEachList: Bool = false,
        renamingMethod: String = "PUT"
    ) -> ListManager {
        struct List: Decodable {
            let id: ProductList.ID
            let name: String
            let items: [[String: Int]]?
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
            pageQuery: pageQuery,
            loadsListsTogether: loadsListsTogether,
            loadsEachList: loadsEachList,
            renamingMethod: renamingMethod,
            contents: { (list: List, _) in
                guard list.name != "Registry" else { return nil }
                guard !list.name.isEmpty else {
                    return try MemberPath("name").reading {
                        throw InvalidIdentifier(list.name)
                    }
                }
                let lines = (list.items ?? []).map { item in
                    ListLines.Line(
                        id: "\(item["line"] ?? 0)",
                        product: "\(item["product"] ?? 0)"
                    )
                }
                return ListLines.Contents(id: list.id, name: list.name, lines: lines, version: "1")
            },
            newList: { NewList(name: $0, owner: 7) },
            newName: { ["title": $1] },
            newLine: { ["product": try $0.integer] }
        )
    }
}
