import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ListLinesTests {
    @Test func `a missing product is added under the loaded version`() async throws {
        let lines = ListLines(
            read: { id in contents(id, version: "7") },
            add: { product, contents in
                #expect(product == "boots")
                #expect(contents.list == ProductList(id: "camp", name: "Wishlist", version: "7"))
            },
            remove: { _, _ in Issue.record("Lines were removed.") }
        )

        try await lines.add("boots", to: "camp")
    }

    @Test func `all lines with a product are removed, and no others`() async throws {
        let removed = Mutex<[Identifier<ListLines.Line>]>([])
        let lines = ListLines(
            read: { id in contents(id, ["boots", "pan", "boots"]) },
            add: { _, _ in },
            remove: { lines, _ in removed.withLock { $0 += lines } }
        )

        #expect(try await lines.list("wishlist").products == ["boots", "pan"])
        try await lines.remove("boots", from: "wishlist")

        #expect(removed.withLock { $0 } == ["line-0", "line-2"])
    }

    @Test(.tags(.timing), .timed)
    func `the time to convert a list is proportional to the number of its lines`() {
        let growth = growth { (lines: [ListLines.Line]) in
            _ = ListLines.Contents(id: "a", name: "A", lines: lines)
        } for: { count in
            (0..<count).map { ListLines.Line(id: "\($0)", product: "\($0)") }
        }

        #expect(growth < 200)
    }

    @Test func `after a conflict the list is loaded and changed again`() async throws {
        let (reads, writes) = (Counter(), Counter())
        let lines = ListLines(
            read: { id in contents(id, version: "\(reads.next())") },
            add: { _, contents in
                #expect(contents.list.version == "\(writes.next())")
                if writes.count < 3 { throw NetworkError(.conflict) }
            },
            remove: { _, _ in }
        )

        try await lines.add("boots", to: "wishlist")

        #expect(reads.count == 3)
        #expect(writes.count == 3)
    }

    @Test(arguments: [(nil, 3), (1, 1), (2, 2), (5, 5)] as [(Int?, Int)])
    func `a conflict at every attempt throws the current list, by default after three attempts`(
        attempts: Int?,
        expected: Int
    ) async {
        let (reads, writes) = (Counter(), Counter())
        var lines = ListLines(
            read: { id in contents(id, ["boots"], version: "\(reads.next())") },
            add: { _, _ in },
            remove: { _, _ in
                writes.next()
                throw NetworkError(.conflict)
            }
        )
        if let attempts { lines.attempts = attempts }

        let current = contents("wishlist", ["boots"], version: "\(expected + 1)").list
        await #expect(throws: ListError.changed(current: current)) {
            try await lines.remove("boots", from: "wishlist")
        }

        #expect(writes.count == expected)
    }

    @Test(arguments: [
        Change("a product is in the list", .add, [["boots"]], counts: (1, 0)),
        Change("a product is missing", .remove, [["pan"]], counts: (1, 0)),
        Change("a conflict with an equal change", .add, [[], ["boots"]], [.conflict]),
        Change("a last conflict", .remove, [["boots"], []], [.conflict], attempts: 1),
        Change(
            "a partly failed removal is repeated for the remaining lines",
            .remove,
            [["boots", "boots"], ["boots"]],
            [NetworkError(.timedOut), nil],
            counts: (3, 2)
        ),
    ])
    func `a list is written until it is as intended`(change: Change) async {
        await change.expectOutcome()
    }

    // Rule: screen/opposite-edit-after-failure (31)
    @Test(arguments: [
        Change(
            "timeout",
            .remove,
            [["boots"], .unreachable],
            [.timedOut],
            throws: .code(.timedOut)
        ),
        Change("lost", .add, [[], .unreachable], [.lostConflict(409)], throws: .unclearConflict),
        Change("refusal", .add, [[], .unreachable], [.conflict], throws: .code(.unreachable)),
        Change(
            "an error of the system does not hide the lost response",
            .remove,
            [["boots"], .failure(URLError(.notConnectedToInternet))],
            [.timedOut],
            throws: .code(.timedOut)
        ),
    ])
    func `a load that fails after a write throws the error of the write if that is unclear`(
        change: Change
    ) async {
        await change.expectOutcome()
    }

    // Rule: screen/opposite-edit-after-failure (31)
    @Test(arguments: [409, 412])
    func `a conflict after a lost response, whose list cannot be loaded, is sent again later`(
        statusCode: Int
    ) async throws {
        let reads = Counter()
        let lines = ListLines(
            read: { id in
                guard reads.next() == 1 else { throw NetworkError(.unreachable) }
                return contents(id)
            },
            add: { _, _ in throw NetworkError.lostConflict(statusCode, "It is locked.") },
            remove: { _, _ in }
        )

        let error = await #expect(throws: NetworkError.self) {
            try await lines.add("boots", to: "wishlist")
        }

        #expect(error?.mayHaveReachedServer == true)
        #expect(error.map { Outbox.Disposition($0) } == .conflict)
        #expect(error?.localizedDescription == "It is locked." && error?.attempts.count == 2)
        #expect(error?.problem?.type == "locked")
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test(arguments: [NetworkError.Code.rejected, .notFound, .timedOut, .connectionLost])
    func `a failed addition is success if the list has the product afterwards`(
        code: NetworkError.Code
    ) async {
        await Change("", .add, [[], ["boots"]], [NetworkError(code)]).expectOutcome()
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test(
        arguments: [
            (.rejected, 2), (.timedOut, 2), (.unreachable, 1), (.forbidden, 1), (.throttled, 1),
        ] as [(NetworkError.Code, Int)],
        [[], .failure(NetworkError(.connectionLost))] as [Change.Load]
    )
    func `a failed addition has its own error if the list cannot be loaded or has no such product`(
        failure: (code: NetworkError.Code, loads: Int),
        load: Change.Load
    ) async {
        await Change(
            "",
            .add,
            [[], load],
            [NetworkError(failure.code)],
            throws: .code(failure.code),
            counts: (failure.loads, 1)
        ).expectOutcome()
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test(arguments: [
        Change("added", .add, [[], ["boots"]], [.unreadable]),
        Change("not added", .add, [[]], [.unreadable], throws: .code(.unexpected)),
        Change("removed", .remove, [["boots"], []], [.unreadable]),
        Change("not removed", .remove, [["boots"]], [.unreadable], throws: .code(.unexpected)),
        Change(
            "one line",
            .remove,
            [["boots"], .unreachable],
            [.unreadable],
            throws: .code(.unreadable)
        ),
        Change(
            "one of two lines",
            .remove,
            [["boots", "boots"], .unreachable],
            [.unreadable],
            throws: .code(.unexpected)
        ),
    ])
    func `the list shows what a success means that cannot be read`(change: Change) async {
        await change.expectOutcome()
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test(arguments: [
        Change("no product", .add, [[]], [.notFound], throws: .product(.notFound("boots"))),
        Change(
            "no list",
            .add,
            [[], .failure(NetworkError(.notFound))],
            [.notFound],
            throws: .list(.notFound("wishlist"))
        ),
        Change("the line is gone", .remove, [["boots"], ["pan"]], [.notFound]),
        Change("the line is there", .remove, [["boots"]], [.notFound], throws: .code(.unexpected)),
        Change("a refusal", .remove, [["boots"]], [.forbidden], throws: .code(.forbidden)),
    ])
    func `the list shows what “not found” means`(change: Change) async {
        await change.expectOutcome()
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test func `an addition whose success has no output does not mean that the product is missing`()
        async
    {
        let client = NetworkClient(baseURL: .api, networking: .closure { _ in .json("null") })
        let lines = ListLines(
            read: { contents($0) },
            add: { _, _ in
                _ = try await client.send(NetworkRequest<Product?>.post("lines").unwrapped())
            },
            remove: { _, _ in }
        )

        let error = await #expect(throws: NetworkError.self) {
            try await lines.add("boots", to: "wishlist")
        }
        #expect(error?.code == .unexpected)
        #expect(error?.localizedDescription == NetworkError(.unexpected).localizedDescription)
    }

    @Test func `a list that does not exist is not found, except by a removal`() async throws {
        let lines = ListLines(
            read: { _ in throw NetworkError(.notFound) },
            add: { _, _ in },
            remove: { _, _ in }
        )

        await #expect(throws: ListError.notFound("w")) { try await lines.list("w") }
        await #expect(throws: ListError.notFound("w")) { try await lines.add("boots", to: "w") }
        try await lines.remove("boots", from: "w")
    }

    @Test func `a cancelled change is not repeated`() async {
        let reads = Counter()
        let lines = ListLines(
            read: { id in
                reads.next()
                return contents(id)
            },
            add: { _, _ in
                withUnsafeCurrentTask { $0?.cancel() }
                throw NetworkError(.conflict)
            },
            remove: { _, _ in }
        )

        let change = Task { try await lines.add("boots", to: "wishlist") }

        await #expect(throws: CancellationError.self) { try await change.value }
        #expect(reads.count == 1)
    }

    @Test func `a list is found among all lists, unless one of them is not valid`() async throws {
        let all = Page([contents("camp"), contents("trip")])
        var incomplete = Page([contents("camp")])
        incomplete.rejected = [RejectedElement(index: 0, member: "id", reason: "It is missing.")]

        #expect(try all.contents(ofListWithID: "trip").list.id == "trip")
        #expect(throws: ListError.notFound("x")) { try all.contents(ofListWithID: "x") }
        await expectNetworkError(.unreadable) { try incomplete.contents(ofListWithID: "x") }
        #expect(try incomplete.contents(ofListWithID: "camp").list.id == "camp")
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                .json(
                    #"{"next": \#(request.url?.query() == nil ? "\"?p=2\"" : "null"), "total": 3}"#
                )
            }
        )
        let moved = try await client.allPages { cursor in
            NetworkRequest<Page<Product>>.get("lists")
                .page(
                    PageFormat(items: "lists", next: "next", total: "total").omittingEmptyArrays,
                    following: cursor
                )
        }
        let lists = moved.map {
            ListLines.Contents(id: Identifier($0.id.rawValue), name: "", lines: [])
        }
        await expectNetworkError(.unavailable) { try lists.contents(ofListWithID: "camp") }
    }
}

/// A change of the boots in a list whose loads and writes have these outcomes; the last ones repeat.
struct Change: CustomTestStringConvertible, Sendable {
    enum Kind {
        case add, remove
    }

    enum Load: ExpressibleByArrayLiteral, Sendable {
        case products([Product.ID]), failure(any Error)

        static var unreachable: Load { .failure(NetworkError(.unreachable)) }

        init(arrayLiteral products: Product.ID...) {
            self = .products(products)
        }
    }

    enum Failure: Equatable {
        case code(NetworkError.Code), unclearConflict, list(ListError), product(ProductError), other

        init(_ error: any Error) {
            switch error {
            case let error as NetworkError
            where error.code == .conflict && error.mayHaveReachedServer:
                self = .unclearConflict
            case let error as NetworkError: self = .code(error.code)
            case let error as ListError: self = .list(error)
            case let error as ProductError: self = .product(error)
            default: self = .other
            }
        }
    }

    let testDescription: String
    private let kind: Kind
    private let loads: [Load]
    private let writes: [NetworkError?]
    private let failure: Failure?
    private let attempts: Int
    private let counts: (loads: Int, writes: Int)

    init(
        _ name: String,
        _ kind: Kind,
        _ loads: [Load],
        _ writes: [NetworkError?] = [],
        throws failure: Failure? = nil,
        attempts: Int = 3,
        counts: (loads: Int, writes: Int) = (2, 1)
    ) {
        (testDescription, self.kind, self.loads, self.writes) = (name, kind, loads, writes)
        (self.failure, self.attempts, self.counts) = (failure, attempts, counts)
    }

    /// Expects that the change ends as described, after so many loads and writes.
    func expectOutcome() async {
        let (loadCount, writeCount) = (Counter(), Counter())
        let write: @Sendable () throws -> Void = { [writes] in
            if let failure = writes.prefix(writeCount.next()).last ?? nil { throw failure }
        }
        var lines = ListLines(
            read: { [loads] id in
                switch loads.prefix(loadCount.next()).last {
                case .products(let products): contents(id, products)
                case .failure(let error): throw error
                case nil: contents(id)
                }
            },
            add: { _, _ in try write() },
            remove: { _, _ in try write() }
        )
        lines.attempts = attempts

        do {
            switch kind {
            case .add: try await lines.add("boots", to: "wishlist")
            case .remove: try await lines.remove("boots", from: "wishlist")
            }
            #expect(failure == nil)
        } catch {
            #expect(Failure(error) == failure)
        }

        #expect(loadCount.count == counts.loads && writeCount.count == counts.writes)
    }
}

extension NetworkError {
    fileprivate static let conflict = NetworkError(.conflict)
    fileprivate static let forbidden = NetworkError(.forbidden)
    fileprivate static let notFound = NetworkError(.notFound)
    fileprivate static let timedOut = NetworkError(.timedOut)
    fileprivate static let unreadable = NetworkError(
        .unreadable,
        response: NetworkResponse(statusCode: 200)
    )

    /// A conflict after an attempt whose response was lost.
    fileprivate static func lostConflict(
        _ statusCode: Int,
        _ message: String? = nil
    ) -> NetworkError {
        var response = NetworkResponse.json(
            #"{"type": "locked", "detail": "\#(message ?? "")"}"#,
            statusCode: statusCode
        )
        response.attempts = [
            NetworkAttempt(failure: .connectionLost), NetworkAttempt(statusCode: statusCode),
        ]
        return NetworkError(.conflict, response: response)
    }
}

private func contents(
    _ id: ProductList.ID,
    _ products: [Product.ID] = [],
    version: String? = nil
) -> ListLines.Contents {
    let lines = products.enumerated().map { place, product in
        ListLines.Line(id: "line-\(place)", product: product)
    }
    return ListLines.Contents(id: id, name: "Wishlist", lines: lines, version: version)
}
