import ProductKit
import Testing

/// A cursor that the server no longer accepts: the pages continue from the first one.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ExpiredCursorTests {
    // Rule: catalog/expired-cursor-starts-again (59)
    @Test(arguments: [400, 404, 410, 422])
    func `after an expired cursor the next call continues from the first page`(
        statusCode: Int
    )
        async throws
    {
        var requests: [String] = []
        var isExpired = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                switch cursor {
                case nil: return .of("boots", next: isExpired ? "2b" : "2")
                case "2": return .of("hat", next: "3")
                case "2b": return .of("hat", next: "3b")
                case "3b": return .of("pan")
                default: throw NetworkError.status(statusCode)
                }
            })
        )
        try await viewModel.search("")
        try await viewModel.loadNextPage()
        isExpired = true

        await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }
        #expect(viewModel.ids == ["boots", "hat"] && viewModel.hasNextPage)
        try await viewModel.loadNextPage()

        #expect(requests == [":first", ":2", ":3", ":first", ":2b", ":3b"])
        #expect(viewModel.ids == ["boots", "hat", "pan"] && !viewModel.hasNextPage)
        #expect(viewModel.lastError == nil)
    }

    // Rule: catalog/expired-cursor-starts-again (59)
    @Test func `a page that fails for a moment is loaded again with its cursor`() async throws {
        var requests: [String] = []
        var errors: [NetworkError] = [
            NetworkError(.unreachable), NetworkError(.timedOut), .status(503), .status(429),
            .status(401),
        ]
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                guard cursor != nil else { return .of("boots", next: "2") }
                if !errors.isEmpty { throw errors.removeFirst() }
                return .of("hat")
            })
        )
        try await viewModel.search("")
        for _ in 1...5 {
            await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }
        }
        try await viewModel.loadNextPage()

        #expect(requests == [":first"] + Array(repeating: ":2", count: 6))
        #expect(viewModel.ids == ["boots", "hat"])
    }

    // Rule: catalog/expired-cursor-starts-again (59)
    @Test func `a first page that is rejected again stays the next one`() async throws {
        var requests: [String] = []
        var isBroken = false
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                if isBroken || cursor == "2" { throw NetworkError.status(400) }
                return .of("boots", next: cursor == nil ? "2" : nil)
            })
        )
        try await viewModel.search("")
        isBroken = true
        for _ in 1...3 {
            await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }
        }

        #expect(requests == [":first", ":2", ":first", ":first"])
        #expect(viewModel.ids == ["boots"] && viewModel.hasNextPage)
    }

    // Rule: catalog/expired-cursor-starts-again (59)
    @Test func `a cursor that is always rejected ends the catalog`() async throws {
        for count in [1, 3, 25] {
            var requests = 0
            let viewModel = CatalogViewModel(
                .only(loadPage: { _, cursor in
                    requests += 1
                    let number = cursor.flatMap { Int($0.rawValue) } ?? 1
                    guard number <= count else { throw NetworkError.status(400) }
                    return .of(Product.ID("\(number)"), next: PageCursor("\(number + 1)"))
                })
            )
            try await viewModel.search("")
            var errors = 0
            while viewModel.hasNextPage, requests < 100 {
                do { try await viewModel.loadNextPage() } catch { errors += 1 }
            }

            #expect(errors == 2 && requests == 2 * (count + 1))
            #expect(viewModel.ids.count == count && viewModel.lastError != nil)
        }
    }

    // Rule: catalog/expired-cursor-starts-again (59); catalog/repeated-cursor-ends-catalog (26)
    @Test func `pages with one cursor for all of them continue after it has expired`() async throws
    {
        let server = CountingServer()
        let viewModel = CatalogViewModel(.only(loadPage: { _, cursor in try server.page(cursor) }))
        try await viewModel.search("")
        for _ in 2...3 { try await viewModel.loadNextPage() }
        server.expire()
        await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }

        while viewModel.hasNextPage { try await viewModel.loadNextPage() }

        #expect(viewModel.ids.count == CountingServer.pageCount)
    }

    // Rule: catalog/repeated-cursor-ends-catalog (26); catalog/refresh-requests-ten-pages (58)
    @Test func `pages with one cursor for all of them continue after a refresh of ten`()
        async throws
    {
        let server = CountingServer()
        let viewModel = CatalogViewModel(.only(loadPage: { _, cursor in try server.page(cursor) }))
        try await viewModel.search("")
        for _ in 2...15 { try await viewModel.loadNextPage() }
        try await viewModel.refresh()

        while viewModel.hasNextPage { try await viewModel.loadNextPage() }

        #expect(viewModel.ids.count == CountingServer.pageCount)
    }

    // Rule: catalog/expired-cursor-starts-again (59)
    @Test func `a refresh after an expired cursor ends the way from the first page`() async throws {
        var requests: [String] = []
        let viewModel = CatalogViewModel(
            .only(loadPage: { query, cursor in
                requests.append(query.at(cursor))
                if cursor == "2", requests.count == 2 { throw NetworkError.status(410) }
                return cursor == nil ? .of("boots", next: "2") : .of("hat")
            })
        )
        try await viewModel.search("")
        await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }
        try await viewModel.refresh()
        try await viewModel.loadNextPage()

        #expect(requests == [":first", ":2", ":first", ":2"])
        #expect(viewModel.ids == ["boots", "hat"])
    }
}

/// A server that counts the pages by itself, so that all of them have the same cursor.
@MainActor private final class CountingServer {
    static let pageCount = 20

    private var scroll = 0
    private var position = 0

    func expire() {
        position = .max
    }

    func page(_ cursor: PageCursor?) throws -> Page<Product> {
        if cursor == nil {
            (scroll, position) = (scroll + 1, 0)
        } else if position >= Self.pageCount {
            throw NetworkError.status(404)
        }
        position += 1
        let next = position < Self.pageCount ? PageCursor("scroll\(scroll)") : nil
        return .of(Product.ID("\(position)"), next: next)
    }
}

extension NetworkError {
    fileprivate static func status(_ statusCode: Int) -> NetworkError {
        NetworkError(NetworkResponse(statusCode: statusCode))
    }
}
