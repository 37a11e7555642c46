import Foundation

/// The pagination parameters of a request.
///
/// A cursor contains the position of the last item of a page, not an offset. If items are added or
/// removed between two requests, no other item is repeated or skipped.
struct Pagination {
    private let items: QueryItems
    private let limit: Int
    private let after: Int?

    init(_ items: QueryItems) throws(Problem) {
        self.items = items
        limit = try Self.limit(items["limit"])
        after = try Self.position(items["cursor"])
    }

    /// Returns a page of elements, which must be sorted by their positions.
    ///
    /// - Returns: The page and its header fields.
    func page<Element>(
        of all: [Element],
        path: String,
        includesTotal: Bool = true,
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
            total: includesTotal ? all.count : nil
        )
        guard let next else { return (page, [:]) }
        let query = self.items.query(setting: "cursor", to: next)
        return (page, ["Link": "<\(path)?\(query)>; rel=\"next\""])
    }

    private static func limit(_ text: String?) throws(Problem) -> Int {
        guard let text else { return 20 }
        guard let limit = Int(text), (1...100).contains(limit) else {
            throw Problem(400, detail: "The limit must be an integer from 1 to 100.")
        }
        return limit
    }

    private static func cursor(_ position: Int) -> String {
        Data("after \(position)".utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the position in a cursor, which must have been made by ``cursor(_:)``.
    private static func position(_ cursor: String?) throws(Problem) -> Int? {
        guard let cursor else { return nil }
        let padding = String(repeating: "=", count: (4 - cursor.count % 4) % 4)
        let base64 = cursor.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard
            let data = Data(base64Encoded: base64),
            let position = Int(String(decoding: data.dropFirst(6), as: UTF8.self)),
            Self.cursor(position) == cursor
        else {
            throw Problem(400, detail: "The cursor is invalid.")
        }
        return position
    }
}
