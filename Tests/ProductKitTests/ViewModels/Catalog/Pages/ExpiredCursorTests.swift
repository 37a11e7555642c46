import ProductKit
import Testing

/// A cursor that the server no longer accepts: the pages continue from the first one.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5)))
struct ExpiredCursorTests {
    // Rule: catalog/expired-cursor-starts-again (59)
    @Test(arguments: [400, 404, 410, 422])
    func `after an expired cursor the next call continues from the first page`(
        statusCode: Int
    ) async throws {
        let server = PageServer([
            ":first": .of("boots", next: "2"), ":2": .of("hat", next: "3"),
            ":2b": .of("hat", next: "3b"), ":3b": .of("pan"),
        ])
        let viewModel = try await server.openCatalog(nextPages: 1)
        server.failure = NetworkError.status(statusCode)

        await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }
        #expect(viewModel.ids == ["boots", "hat"] && viewModel.hasNextPage)
        server.failure = nil
        server.pages[":first"]?.next = "2b"
        try await viewModel.loadNextPage()

        #expect(server.requests == [":first", ":2", ":3", ":first", ":2b", ":3b"])
        #expect(viewModel.ids == ["boots", "hat", "pan"] && !viewModel.hasNextPage)
        #expect(viewModel.lastError == nil)
    }

    // Rule: catalog/expired-cursor-starts-again (59)
    @Test(arguments: [
        NetworkError(.unreachable), NetworkError(.timedOut), .status(503), .status(429),
        .status(401),
    ])
    func `a page that fails for a moment is loaded again with its cursor`(
        failure: NetworkError
    ) async throws {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of("hat")])
        let viewModel = try await server.openCatalog()
        server.failure = failure
        await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }
        server.failure = nil

        try await viewModel.loadNextPage()

        #expect(server.requests == [":first", ":2", ":2"] && viewModel.ids == ["boots", "hat"])
    }

    // Rule: catalog/expired-cursor-starts-again (59)
    @Test func `a first page that is rejected again stays the next one`() async throws {
        let server = PageServer()
        let viewModel = try await server.openCatalog()
        server.failure = NetworkError.status(400)
        for _ in 1...3 {
            await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }
        }

        #expect(server.requests == [":first", ":2", ":first", ":first"])
        #expect(viewModel.ids == ["boots"] && viewModel.hasNextPage)
    }

    // Rule: catalog/expired-cursor-starts-again (59)
    @Test(arguments: [1, 3, 25])
    func `a cursor that is always rejected ends the catalog`(count: Int) async throws {
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

    // Rule: catalog/expired-cursor-starts-again (59); catalog/repeated-cursor-ends-catalog (26)
    // Rule: catalog/refresh-requests-ten-pages (58)
    @Test(arguments: [false, true])
    func `pages with one cursor for all of them continue after it has expired, and after a refresh`(
        isRefreshed: Bool
    ) async throws {
        let pageCount = 20
        var (scroll, position) = (0, 0)
        // The server counts the pages by itself.
        let viewModel = CatalogViewModel(
            .only(loadPage: { _, cursor in
                if cursor == nil {
                    (scroll, position) = (scroll + 1, 0)
                } else if position >= pageCount {
                    throw NetworkError.status(404)
                }
                position += 1
                let next = position < pageCount ? PageCursor("scroll\(scroll)") : nil
                return .of(Product.ID("\(position)"), next: next)
            })
        )
        try await viewModel.search("")
        for _ in 2...15 { try await viewModel.loadNextPage() }
        if isRefreshed {
            try await viewModel.refresh()
        } else {
            position = .max
            await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }
        }

        while viewModel.hasNextPage { try await viewModel.loadNextPage() }

        #expect(viewModel.ids.count == pageCount)
    }

    // Rule: catalog/expired-cursor-starts-again (59)
    @Test func `pages that are loaded again after a refresh have no further rejected products`()
        async throws
    {
        let server = PageServer(pageCount: 13)
        server.pages[":13"]?.next = nil
        let rejected = RejectedElement(index: 1, member: "name", reason: "It is missing.")
        server.pages[":11"]?.rejected = [rejected]
        let viewModel = try await server.openCatalog(nextPages: 11)
        server.failure = NetworkError.status(400)
        await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }
        server.failure = nil
        // Ten pages, without new products.
        try await viewModel.loadNextPage()

        try await viewModel.refresh()
        try await viewModel.loadNextPage()

        #expect(viewModel.ids.count == 13 && !viewModel.hasNextPage)
        #expect(viewModel.rejected.count == 1)
    }

    // Rule: catalog/expired-cursor-starts-again (59)
    @Test func `a refresh after an expired cursor ends the way from the first page`() async throws {
        let server = PageServer([":first": .of("boots", next: "2"), ":2": .of("hat")])
        let viewModel = try await server.openCatalog()
        server.failure = NetworkError.status(410)
        await #expect(throws: NetworkError.self) { try await viewModel.loadNextPage() }
        server.failure = nil
        try await viewModel.refresh()
        try await viewModel.loadNextPage()

        #expect(server.requests == [":first", ":2", ":first", ":2"])
        #expect(viewModel.ids == ["boots", "hat"])
    }
}

extension NetworkError {
    fileprivate static func status(_ statusCode: Int) -> NetworkError {
        NetworkError(NetworkResponse(statusCode: statusCode))
    }
}
