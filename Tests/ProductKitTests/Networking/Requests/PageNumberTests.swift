import Foundation
import ProductKit
import Testing

/// Pages with numbers or offsets.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PageNumberTests {
    // Rule: requests/pages-are-counted (14)
    @Test(arguments: [
        (PageFormat(pageNumber: "page", pageCount: .header("X-WP-TotalPages")), ["", "page=2"]),
        (PageFormat(pageNumber: "page", total: .header("X-WP-Total")), ["", "page=2"]),
        (PageFormat(pageNumber: "page"), ["", "page=2", "page=3"]),
        (
            PageFormat(pageNumber: "p", first: 0, pageCount: .header("X-WP-TotalPages")),
            ["", "p=1"]
        ),
        (PageFormat(offset: "skip", total: .header("X-WP-Total")), ["", "skip=2"]),
        (PageFormat(offset: "skip", total: .header("Content-Range")), ["", "skip=2"]),
        (PageFormat(offset: "skip"), ["", "skip=2", "skip=3"]),
    ])
    func `the pages are requested one after another until the last one`(
        format: PageFormat,
        queries: [String]
    ) async throws {
        let server = Server(bodies: ["[1, 2]", "[3]", "[]"])

        #expect(try await server.allElements(in: format) == [1, 2, 3])
        #expect(server.queries == queries)
    }

    // Rule: requests/pages-are-counted (14)
    @Test func `counts may be members, and elements that cannot be decoded count`() async throws {
        let counts = #""meta": {"count": "3", "pages": 2}"#
        let bodies = [#"{"data": [1, null], \#(counts)}"#, #"{"data": [3], \#(counts)}"#]
        for format in [
            PageFormat(items: "data", pageNumber: "page", pageCount: "meta.pages"),
            PageFormat(items: "data", pageNumber: "page", total: "meta.count"),
            PageFormat(items: "data", offset: "page", total: "meta.count"),
        ] {
            let server = Server(bodies: bodies)

            #expect(try await server.allElements(in: format) == [1, 3])
            #expect(server.queries == ["", "page=2"])
        }
    }

    // Rule: requests/pages-are-counted (14)
    @Test(arguments: [
        PageFormat(items: "data", pageNumber: "page", hasNext: "more"),
        PageFormat(items: "data", offset: "page", hasNext: "more"),
        PageFormat(items: "data", pageNumber: "page", hasNext: "more", total: "count"),
        PageFormat(items: "data", offset: "page", hasNext: "more", total: "count"),
    ])
    func `a flag marks the last page`(format: PageFormat) async throws {
        for count in [2, 9] {
            let server = Server(bodies: [
                #"{"data": [1, 2], "more": true, "count": \#(count)}"#,
                #"{"data": [3], "more": false, "count": \#(count)}"#,
            ])

            #expect(try await server.allElements(in: format) == [1, 2, 3])
            #expect(server.queries == ["", "page=2"])
        }
    }

    // Rule: requests/pages-are-counted (14)
    @Test(arguments: [
        PageFormat(items: "data", pageNumber: "page", hasNext: "more", total: "count"),
        PageFormat(items: "data", offset: "page", hasNext: "more", total: "count"),
    ])
    func `without the flag, the total decides`(format: PageFormat) async throws {
        let server = Server(bodies: [
            #"{"data": [1, 2], "more": true, "count": 3}"#, #"{"data": [3], "count": 3}"#,
        ])

        #expect(try await server.allElements(in: format) == [1, 2, 3])
        #expect(server.queries == ["", "page=2"])
    }

    // Rule: requests/pages-are-counted (14)
    @Test func `a cursor is sent in the query item of the format`() async throws {
        let server = Server(bodies: [
            #"{"data": [1, 2], "next": "b &?/c=1", "more": true}"#,
            #"{"data": [3], "next": 7, "more": false}"#,
        ])
        let format = PageFormat(items: "data", next: "next", cursor: "after", hasNext: "more")
        let request = NetworkRequest<Page<Int>>.get("goods", query: ["after": "a", "q": "pan"])

        let first = try await server.client.send(request.page(format))
        let second = try await server.client.send(request.page(format, following: first.next))

        #expect(first.next == "b &?/c=1" && second.items == [3] && second.next == nil)
        #expect(server.queries == ["after=a&q=pan", "q=pan&after=b%20%26%3F%2Fc%3D1"])
    }

    @Test func `a backend may omit an empty array`() async throws {
        let request = NetworkRequest<Page<Int>>.get("goods")
        let format = PageFormat(items: "data.rows", pageNumber: "page", total: "count")
        for (body, isPage) in [
            (#"{"data": {}, "count": 0}"#, true), (#"{"data": {"rows": null}}"#, true),
            (#"{"count": 0}"#, true), (#"{"data": []}"#, true), (#"{"data": "?"}"#, false),
        ] {
            let client = Server(bodies: [body]).client
            let page = try? await client.send(request.page(format.omittingEmptyArrays))
            #expect(page.map(\.items) == (isPage ? [] : nil))
        }
        let error = await #expect(throws: NetworkError.self) {
            try await Server(bodies: [#"{"data": {}}"#]).client.send(request.page(format))
        }
        #expect(error?.code == .unreadable)
    }

    // Rule: requests/pages-are-counted (14)
    @Test func `an empty page is not the last if the flag says so`() async throws {
        let bodies = [#"{"data": [], "more": true}"#, #"{"data": [3], "more": false}"#]
        let numbered = PageFormat(items: "data", pageNumber: "page", hasNext: "more")
        let skipping = PageFormat(items: "data", offset: "skip", hasNext: "more")

        #expect(try await Server(bodies: bodies).allElements(in: numbered) == [3])
        // The next page would have the same offset.
        #expect(try await Server(bodies: bodies).allElements(in: skipping) == [])
    }

    // Rule: requests/pages-are-counted (14)
    @Test(arguments: ["1.5", "\"a\"", "null", "{}", "-1", "\"-3\"", "-9223372036854775808"])
    func `with an invalid count, the pages continue until one is empty`(count: String) async throws
    {
        let counts = #""total": \#(count), "pages": \#(count)"#
        for format in [
            PageFormat(items: "data", pageNumber: "page", pageCount: "pages", total: "total"),
            PageFormat(items: "data", offset: "skip", total: "total"),
        ] {
            let server = Server(bodies: [
                #"{"data": [1], \#(counts)}"#, #"{"data": [], \#(counts)}"#,
            ])

            #expect(try await server.allElements(in: format) == [1])
            #expect(server.queries.count == 2)
        }
    }

    // Rule: requests/pages-are-counted (14)
    @Test(arguments: [
        PageFormat(pageNumber: "page", pageCount: .header("X-Invalid")),
        PageFormat(pageNumber: "page", total: .header("X-Invalid")),
        PageFormat(offset: "skip", total: .header("X-Invalid")),
        PageFormat(offset: "skip", total: .header("X-Unknown")),
        PageFormat(offset: "skip", total: .header("X-Unfinished")),
    ])
    func `another text in a header field is no count`(format: PageFormat) async throws {
        let server = Server(bodies: ["[1, 2]", "[3]", "[]"])

        #expect(try await server.allElements(in: format) == [1, 2, 3])
    }

    // Rule: requests/pages-are-counted (14)
    @Test func `an empty page with a later one is not the last`() async throws {
        let server = Server(bodies: ["[]", "[3]"])
        let format = PageFormat(pageNumber: "page", pageCount: .header("X-WP-TotalPages"))

        #expect(try await server.allElements(in: format) == [3])
    }

    // Rule: requests/pages-are-counted (14)
    @Test func `the number replaces that of the query`() async throws {
        let server = Server(bodies: ["[1, 2]", "[3]", "[]"])
        let request = NetworkRequest<Page<Int>>.get("goods", query: ["page": "4", "q": "pan"])
        let format = PageFormat(pageNumber: "page", total: .header("X-WP-Total"))

        let first = try await server.client.send(request.page(format))
        let second = try await server.client.send(request.page(format, following: first.next))

        #expect(server.queries == ["page=4&q=pan", "q=pan&page=5"])
        // How many elements the first three pages have is not known.
        #expect(second.next == "6")
    }

    // Rule: requests/next-page-is-another-page (10)
    @Test(arguments: ["", "a", "-1", "1,2,3", "1,", "?page=2", "1.5"] as [PageCursor])
    func `another cursor is refused, and nothing is sent`(cursor: PageCursor) async throws {
        let server = Server(bodies: ["[1]"])
        for format in [PageFormat(pageNumber: "page"), PageFormat(offset: "skip")] {
            let request = NetworkRequest<Page<Int>>.get("goods").page(format, following: cursor)

            let error = await server.client.error(of: request)

            #expect(error?.code == .invalidRequest)
            #expect(error?.debugDescription.contains("?page=2") == false)
        }
        let offset = PageFormat(offset: "skip")
        let request = NetworkRequest<Page<Int>>.get("goods").page(offset, following: "2,40")
        #expect(await server.client.error(of: request)?.code == .invalidRequest)
        for (format, cursor) in [
            (offset, cursor), (PageFormat(), nil), (PageFormat(next: "next"), "2"),
        ] {
            let request = NetworkRequest<Page<Int>>.post("search")
                .page(format, following: cursor) { number in [number] }
            let error = await server.client.error(of: request)
            #expect(error?.code == .invalidRequest)
            #expect(error?.debugDescription.contains("its format has no numbers") == true)
        }
        #expect(server.queries.isEmpty)
    }

    // Rule: requests/pages-are-counted (14)
    @Test(arguments: [
        (PageFormat(pageNumber: "page", total: .header("X-WP-Total")), [1, 2]),
        (PageFormat(pageNumber: "page", first: 0, pageCount: .header("X-WP-TotalPages")), [0, 1]),
        (PageFormat(offset: "skip"), [0, 2, 3]),
    ])
    func `the number may be in the body`(format: PageFormat, numbers: [Int]) async throws {
        let server = Server(bodies: ["[1, 2]", "[3]", "[]"])
        var (elements, cursor): ([Int], PageCursor?) = ([], nil)
        repeat {
            let request = NetworkRequest<Page<Int>>.post("search")
                .page(format, following: cursor) { number in ["number": number] }
            let page = try await server.client.send(request)
            elements += page.items
            cursor = page.next
        } while cursor != nil

        #expect(elements == [1, 2, 3])
        #expect(server.bodies.all == numbers.map { #"{"number":\#($0)}"# })
        #expect(server.queries == numbers.map { _ in "" })
    }

    // Rule: requests/pages-are-counted (14)
    @Test func `a cursor that was followed before is used`() async throws {
        let server = Server(bodies: ["[3]"])
        let numbered = NetworkRequest<Page<Int>>.get("goods").following("2")
            .page(PageFormat(pageNumber: "page"))
        let linked = NetworkRequest<Page<Int>>.get("goods").following("?page=5").page()
        let inBody = NetworkRequest<Page<Int>>.post("goods").following("2")
            .page(PageFormat(pageNumber: "page"), following: nil) { number in [number] }

        #expect(try await server.client.send(numbered).next == "3")
        _ = try await server.client.send(linked)
        #expect(try await server.client.send(inBody).next == "3")

        #expect(server.queries == ["page=2", "page=5", ""])
        #expect(server.bodies.all.last == "[2]")
    }

    @Test func `a count or a position that is too large ends the pages`() async throws {
        let largest = PageCursor(rawValue: "\(Int.max)")
        for format in [PageFormat(pageNumber: "page"), PageFormat(offset: "skip")] {
            let server = Server(bodies: ["[1]"])
            let request = NetworkRequest<Page<Int>>.get("goods").page(format, following: largest)

            #expect(try await server.client.send(request).next == nil)
        }
    }
}

/// A server with three elements on two pages, which returns one body after another.
private final class Server: Sendable {
    let client: NetworkClient
    /// The bodies of the requests.
    let bodies = Lines()
    private let received = Lines()

    var queries: [String] { received.all }

    init(bodies: [String]) {
        client = NetworkClient { [received, sent = self.bodies] request in
            received.add(request.url?.query() ?? "")
            sent.add(String(decoding: request.httpBody ?? Data(), as: UTF8.self))
            let index = min(received.all.count, bodies.count) - 1
            return .json(
                bodies[index],
                headers: [
                    "X-WP-Total": "3", "X-WP-TotalPages": "2", "X-Invalid": "-1",
                    "Content-Range": "items 0-1/3", "X-Unknown": "items 0-1/*",
                    "X-Unfinished": "2/",
                ]
            )
        }
    }

    func allElements(in format: PageFormat) async throws -> [Int] {
        var (elements, cursor): ([Int], PageCursor?) = ([], nil)
        repeat {
            let request = NetworkRequest<Page<Int>>.get("goods").page(format, following: cursor)
            let page = try await client.send(request)
            elements += page.items
            cursor = page.next
        } while cursor != nil
        return elements
    }
}
