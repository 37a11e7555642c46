public import Foundation

/// Adds products to lists, and removes them, on a backend whose lists consist of lines.
///
/// Such a backend, typically a cart, gives each line its own identifier. It adds a second line when a product
/// is added twice, and it removes a line only by the line's identifier. `ListLines` turns that into the
/// idempotent writes of a ``ListManager``: it loads the list first and then adds or removes only what differs.
///
/// ```swift
/// let lines = ListLines(
///     read: { list in try await shop.contents(of: list) },
///     add: { product, contents in try await shop.addLine(product, to: contents) },
///     remove: { lines, contents in try await shop.remove(lines, from: contents) }
/// )
/// let lists = ListManager(lines: lines)
/// ```
///
/// Writes to one list with the same `ListLines` are carried out one after another, in the order of the calls.
/// With ``ListManager/init(lines:lists:loadsEachList:create:rename:delete:)``, renaming and deleting the list are
/// such writes, too. If another device or another service changes the list between the load and the write, the
/// backend must reject the write with a ``NetworkError`` of code ``NetworkError/Code-swift.struct/conflict``. The
/// list is then loaded again and the write is repeated, up to three attempts in total. A backend without versions
/// cannot detect this: two devices, or two services of one user, that add a product at the same time may create
/// two lines. The list contains the product once, and a removal removes both.
public struct ListLines: Sendable {
    /// The number of attempts to write if each one meets a conflict.
    package var attempts = 3

    private let read: @Sendable (ProductList.ID) async throws -> Contents
    private let addLine: @Sendable (Product.ID, Contents) async throws -> Void
    private let removeLines: @Sendable ([Line.ID], Contents) async throws -> Void
    /// The writes to each list, also those that send the whole list, for example with a new name.
    let writes = KeyedLock<ProductList.ID>()

    /// Creates list lines from the three requests of a backend.
    ///
    /// For a list or product that does not exist, the closures must throw ``NetworkError`` with code
    /// ``NetworkError/Code-swift.struct/notFound``; `read` may also throw ``ListError/notFound(_:)``, and `add`
    /// ``ProductError/notFound(_:)``. If the backend has versions, and that of the list is no longer the one of the
    /// contents given, `add` and `remove` must throw one with code ``NetworkError/Code-swift.struct/conflict``.
    ///
    /// - Parameters:
    ///   - read: Loads a list with its lines and its version. For a backend that can only load all
    ///     lists, use ``Page/contents(ofListWithID:)``.
    ///   - add: Adds a line with a product to the list with these contents. No line of the contents has this product.
    ///   - remove: Removes one or more lines from the list with these contents. They have the order of the contents.
    public init(
        read: @escaping @Sendable (ProductList.ID) async throws -> Contents,
        add: @escaping @Sendable (Product.ID, Contents) async throws -> Void,
        remove: @escaping @Sendable ([Line.ID], Contents) async throws -> Void
    ) {
        self.read = read
        addLine = add
        removeLines = remove
    }

    /// Creates list lines for a backend that removes one line with each request.
    ///
    /// If each removal changes the version that the next one must send, use ``init(read:add:remove:)``.
    ///
    /// Several lines are removed from the last to the first, so that the identifier of a line may be its position.
    /// Then a removal must not be sent again after a lost response: it would remove another product. Create the
    /// backend with `retry: RetryBehavior(methods: ["GET"])`. All else is as in ``init(read:add:remove:)``.
    public init(
        read: @escaping @Sendable (ProductList.ID) async throws -> Contents,
        add: @escaping @Sendable (Product.ID, Contents) async throws -> Void,
        removeLine: @escaping @Sendable (Line.ID, Contents) async throws -> Void
    ) {
        self.init(read: read, add: add) { lines, contents in
            for line in lines.reversed() { try await removeLine(line, contents) }
        }
    }

    /// Adds a line with a product to a list, unless the list has one.
    ///
    /// It also returns normally if the write is rejected or its response is lost, but the list has such a line
    /// afterwards: another device may have added it.
    ///
    /// - Throws: ``ListError/changed(current:)`` if every attempt meets a conflict, otherwise the errors of
    ///   ``ListManager/addProduct(withID:toListWithID:)``.
    @Sendable package func add(_ product: Product.ID, to list: ProductList.ID) async throws {
        try await change(list, until: { $0.list.products.contains(product) }) { contents in
            do {
                try await addLine(product, contents)
            } catch let error as NetworkError where error.mayMeanPresence {
                let current = try await self.contents(of: list, afterWriteFailedWith: error)
                guard !current.list.products.contains(product) else { return }
                let failure = error.ofPartialWrite
                // The list exists, so it is the product that was not found.
                throw failure.isOfMissingObject ? ProductError.notFound(product) : failure
            }
        }
    }

    /// Removes all lines with a product from a list.
    ///
    /// If the list does not exist or has no such lines, it returns without a write. It also returns
    /// normally if the write fails, but the list has no such lines afterwards.
    ///
    /// - Throws: ``ListError/changed(current:)`` if every attempt meets a conflict, otherwise the closures' errors.
    @Sendable package func remove(_ product: Product.ID, from list: ProductList.ID) async throws {
        do {
            try await change(list, until: { !$0.list.products.contains(product) }) { contents in
                let lines = contents.lines.filter { $0.product == product }
                do {
                    try await removeLines(lines.map(\.id), contents)
                } catch let error as NetworkError where error.code != .conflict {
                    // Another device may have removed lines, or this is the retry of a removal
                    // whose response was lost. If only some are gone, a conflict repeats the write.
                    let failure = lines.count > 1 ? error.ofPartialWrite : error
                    let left = try await self.contents(of: list, afterWriteFailedWith: failure)
                        .lines
                        .filter { $0.product == product }
                    guard left != lines else { throw error.reportingUnchangedLines }
                    if !left.isEmpty { throw NetworkError(.conflict, underlying: error) }
                }
            }
        } catch ListError.notFound {}
    }

    /// Loads a list.
    ///
    /// - Throws: ``ListError/notFound(_:)`` if the list does not exist, otherwise the errors of `read`.
    @Sendable public func list(_ id: ProductList.ID) async throws -> ProductList {
        try await contents(of: id).list
    }

    /// Loads a list and writes the change unless it is done already; repeats both after a conflict.
    private func change(
        _ id: ProductList.ID,
        until isAsIntended: (Contents) -> Bool,
        write: (Contents) async throws -> Void
    ) async throws {
        try await writes.withLock(id) {
            try await ServiceOperation.write {
                var failure: NetworkError?
                for _ in 0..<attempts {
                    try Task.checkCancellation()
                    let contents = try await contents(of: id, afterWriteFailedWith: failure)
                    guard !isAsIntended(contents) else { return }
                    do {
                        return try await write(contents)
                    } catch let error as NetworkError where error.code == .conflict {
                        failure = error
                    }
                }
                let contents = try await contents(of: id, afterWriteFailedWith: failure)
                guard isAsIntended(contents) else {
                    throw ListError.changed(current: contents.list)
                }
            }
        }
    }

    /// Loads the contents of a list, possibly again after a failed write.
    ///
    /// - Throws: The error of the write if the list cannot be loaded, and the write may have been
    ///   carried out or was refused for another reason than a conflict or a missing object. The error of the
    ///   load would claim that the change can still be made.
    private func contents(
        of id: ProductList.ID,
        afterWriteFailedWith failure: NetworkError? = nil
    ) async throws -> Contents {
        do {
            return try await read(id)
        } catch let error as NetworkError where error.code == .notFound {
            throw ListError.notFound(id)
        } catch let error where error is NetworkError || !error.mayHaveReachedServer {
            guard let failure else { throw error }
            let isMissingOrChanged = [.conflict, .notFound].contains(failure.code)
            // A read that the write begins with has changed nothing.
            if isMissingOrChanged, failure.isOfRead || !failure.mayHaveReachedServer { throw error }
            guard failure.code == .conflict, failure.statusCode == 412 else { throw failure }
            // An outbox refuses an edit with a 412. But a later write may meet no conflict.
            var error = NetworkError(
                .conflict,
                request: nil,
                problem: failure.problem,
                underlying: failure,
                reason: failure.reason,
                details: "The write was refused with a 412, and the list could not be loaded. See "
                    + "the underlying error."
            )
            error.attempts = failure.attempts
            throw error
        }
    }
}

extension NetworkError {
    /// Whether the list may have the product after an addition that has failed with this error.
    fileprivate var mayMeanPresence: Bool {
        [.notFound, .rejected].contains(code) || code != .conflict && mayHaveReachedServer
    }

    /// Whether the server has responded that something does not exist, also to a read before the write.
    fileprivate var isOfMissingObject: Bool {
        code == .notFound && (isOfRead || !(underlying is MissingOutput))
    }

    /// The error of a removal after which the list still has the same lines.
    ///
    /// Usually a 404 is a success, because there is nothing to remove. A success that cannot be read is one, too.
    /// Here the lines are still there.
    fileprivate var reportingUnchangedLines: NetworkError {
        guard isOfMissingObject else { return ofPartialWrite }
        return NetworkError(
            .unexpected,
            underlying: self,
            details: "The product could not be removed from the list: the server responded that it "
                + "is not there, but the list still contains it. Correct the server."
        )
    }
}

extension ListLines {
    /// A line of a list.
    public struct Line: Identifiable, Hashable, Sendable {
        /// The line's identifier; that of the product if the lines of the backend have none.
        public var id: Identifier<Line>
        /// The product on the line.
        public var product: Product.ID

        /// Creates a line.
        ///
        /// - Parameters:
        ///   - id: Its identifier; `nil`, the default, if the lines of the backend have none.
        ///   - product: The product on the line.
        public init(id: Identifier<Line>? = nil, product: Product.ID) {
            self.id = id ?? Identifier(product.rawValue)
            self.product = product
        }
    }

    /// A list together with its lines, as loaded.
    public struct Contents: Hashable, Identifiable, Sendable {
        /// The list, with the version that a write sends back to detect conflicts.
        public let list: ProductList
        /// The lines, in the user's order.
        public let lines: [Line]
        /// The identifier of the list.
        public var id: ProductList.ID { list.id }

        /// Creates contents; the products of ``list`` are those of the lines, in the same order and each only once.
        public init(
            id: ProductList.ID,
            name: String,
            lines: [Line],
            updatedAt: Date? = nil,
            version: String? = nil
        ) {
            var known: Set<Product.ID> = []
            list = ProductList(
                id: id,
                name: name,
                products: lines.map(\.product).filter { known.insert($0).inserted },
                updatedAt: updatedAt,
                version: version
            )
            self.lines = lines
        }

        /// Creates the contents of a list whose lines were loaded by themselves.
        init(_ list: ProductList, lines: [Line]) {
            self.init(
                id: list.id,
                name: list.name,
                lines: lines,
                updatedAt: list.updatedAt,
                version: list.version
            )
        }
    }
}

extension Page<ProductList> {
    /// Loads each list by itself, as ``ListManager`` describes for `loadsEachList`.
    ///
    /// If a name is given, lists with another one are returned as they are, and those without a name are loaded.
    func loadingEach(
        named name: String?,
        _ read: @escaping @Sendable (ProductList) async throws -> ProductList
    ) async throws -> Page {
        let failure = Locked<(any Error)?>(nil)
        let lists = try await concurrentMap { list -> Result<ProductList?, any Error> in
            if let error = failure.withLock(\.self) { return .failure(error) }
            guard name == nil || [name, ""].contains(list.name) else { return .success(list) }
            do {
                return .success(try await read(list))
            } catch ListError.notFound {
                return .success(nil)
            } catch let error as NetworkError where error.code == .notFound {
                return .success(nil)
            } catch let error as NetworkError where error.code == .unreadable {
                return .failure(error)
            } catch {
                failure.withLock { $0 = $0 ?? error }
                return .failure(error)
            }
        }
        if let error = failure.withLock(\.self) { throw error }
        // A list that cannot be read is added to the rejected elements of the page.
        return lists.compactMap { try $0.get() }
    }

    /// The error if a list is on none of the pages, but these do not fit together.
    static var movedLists: NetworkError {
        NetworkError(
            .unavailable,
            reason: "The lists have changed while they were loaded. Try again.",
            details:
                "The list could not be found: the lists have changed while their pages were loaded. "
                + "Try again."
        )
    }
}

extension Page where Element == ListLines.Contents {
    /// Returns the contents of one list, for a backend that can only load all lists.
    ///
    /// ```swift
    /// let lines = ListLines(
    ///     read: { list in try await shop.allContents().contents(ofListWithID: list) },
    ///     add: { product, contents in try await shop.addLine(product, to: contents) },
    ///     remove: { lines, contents in try await shop.remove(lines, from: contents) }
    /// )
    /// ```
    ///
    /// - Parameter id: The list's identifier.
    /// - Returns: The contents of the list.
    /// - Throws: ``ListError/notFound(_:)`` if the page does not contain the list. If an element of the page was
    ///   rejected, it may be this list, and a ``NetworkError`` with code
    ///   ``NetworkError/Code-swift.struct/unreadable`` is thrown. If the pages that ``NetworkClient/allPages(_:)``
    ///   has loaded do not fit together, its code is ``NetworkError/Code-swift.struct/unavailable``.
    public func contents(ofListWithID id: ProductList.ID) throws -> ListLines.Contents {
        if let contents = items.first(where: { $0.list.id == id }) { return contents }
        guard rejectedCount == 0 else {
            throw NetworkError(
                .unreadable,
                details: "The list cannot be read: one of the lists of the user is not valid. "
                    + "Correct the list on the server."
            )
        }
        if omissions.mayIncludeOthers { throw Page<ProductList>.movedLists }
        throw ListError.notFound(id)
    }
}
