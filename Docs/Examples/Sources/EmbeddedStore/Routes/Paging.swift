import Foundation

/// The part of a collection that a request asks for.
///
/// A cursor names the place after which a page begins, not how many items came before it, so that
/// items which come and go between two requests neither repeat others nor hide them.
struct Paging {
    private let items: QueryItems
    private let limit: Int
    private let after: Int?

    init(_ items: QueryItems) throws(Problem) {
        self.items = items
        limit = try Self.limit(items["limit"])
        after = try Self.position(items["cursor"])
    }

    /// Makes a page of elements that are sorted by their places.
    ///
    /// - Returns: The page, and the header fields that go with it.
    func page<Element>(
        of all: [Element],
        path: String,
        tellsTotal: Bool = true,
        position: (Element) -> Int,
        document: (Element) -> Document
    ) -> (document: Document, headers: [String: String]) {
        let rest = all.drop { element in
            after.map { position(element) <= $0 } ?? false
        }
        let items = rest.prefix(limit)
        let next = rest.count > limit ? items.last.map { Self.cursor(position($0)) } : nil
        let page = Document.page(
            of: items.map(document),
            next: next,
            total: tellsTotal ? all.count : nil
        )
        guard let next else { return (page, [:]) }
        let query = self.items.query(setting: "cursor", to: next)
        return (page, ["Link": "<\(path)?\(query)>; rel=\"next\""])
    }

    private static func limit(_ text: String?) throws(Problem) -> Int {
        guard let text else { return 20 }
        guard let limit = Int(text), (1...100).contains(limit) else {
            throw Problem(400, detail: "The limit is a whole number from 1 to 100.")
        }
        return limit
    }

    private static func cursor(_ position: Int) -> String {
        Data("after \(position)".utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Reads a cursor, accepting only what ``cursor(_:)`` makes.
    private static func position(_ cursor: String?) throws(Problem) -> Int? {
        guard let cursor else { return nil }
        let padding = String(repeating: "=", count: (4 - cursor.count % 4) % 4)
        let base64 = cursor.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard
            let data = Data(base64Encoded: base64),
            let position = Int(String(decoding: data.dropFirst(6), as: UTF8.self)),
            Self.cursor(position) == cursor
        else {
            throw Problem(400, detail: "The cursor is not one of this store's.")
        }
        return position
    }
}
