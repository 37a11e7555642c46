/// The favorites and lists of a shop in memory.
struct InMemoryState: Sendable {
    /// The favorites, the newest first.
    var favorites: [Positioned<Product.ID>] = []
    /// The lists in the order of their creation.
    var lists: [Positioned<ProductList>] = []
    private var changeCount = 0

    mutating func add(favorite id: Product.ID) {
        guard !favorites.contains(where: { $0.value == id }) else { return }
        changeCount += 1
        favorites.insert(Positioned(position: -changeCount, value: id), at: 0)
    }

    mutating func add(_ list: ProductList) {
        var list = list
        list.version = nextVersion()
        lists.append(Positioned(position: changeCount, value: list))
    }

    /// Returns the version of a list that is changed.
    mutating func nextVersion() -> String {
        changeCount += 1
        return "\"\(changeCount)\""
    }

    func list(_ id: ProductList.ID) -> ProductList? {
        lists.first { $0.value.id == id }?.value
    }

    func existingList(_ id: ProductList.ID) throws -> ProductList {
        guard let list = list(id) else { throw ListError.notFound(id) }
        return list
    }
}

/// A value with its position among others, which never changes and is never used again.
struct Positioned<Value: Sendable>: Sendable {
    let position: Int
    var value: Value
}

extension Page where Element: Sendable {
    /// Creates the page of values after a position, which the cursor contains.
    ///
    /// So no value is repeated or skipped if others are added or removed between two pages.
    init(of all: [Positioned<Element>], after cursor: PageCursor?, limit: Int? = nil) throws {
        let limit = limit ?? 20
        guard (1...100).contains(limit) else {
            throw NetworkError(
                .rejected,
                details: "The limit \(limit) is not between 1 and 100. Choose another one."
            )
        }
        let last = try cursor.map(Self.position)
        let rest = all.drop { element in last.map { element.position <= $0 } ?? false }
        self.init(rest.prefix(limit).map(\.value), total: all.count)
        if rest.count > limit {
            next = rest.prefix(limit).last.map { PageCursor(rawValue: String($0.position)) }
        }
    }

    private static func position(in cursor: PageCursor) throws -> Int {
        guard let position = Int(cursor.rawValue) else {
            throw NetworkError(
                .rejected,
                details:
                    "The cursor “\(cursor.rawValue)” is not from a page of this shop. Load the "
                    + "first page."
            )
        }
        return position
    }
}
