import Foundation
import ProductKit
import Testing

/// Next pages in `Link` fields (RFC 8288), and how they are followed.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NextPageLinkTests {
    @Test(arguments: [
        #"<https://api.example.com/v1/goods?page=2>; rel="next""#,
        #"<https://api.example.com/v1/goods?page=2>; rel=next"#,
        "<https://api.example.com/v1/goods?page=2>; Rel=NEXT",
        #"<https://api.example.com/v1/goods?page=2> ; title="a" ; REL = "Next" "#,
        #"<https://api.example.com/v1/goods?page=2>;rel="last next""#,
        #"</v1/goods?page=1>; rel="prev", <?page=2>; rel="next""#,
        #"</v1/goods?page=1>; title="a, <b>; rel=\"next\""; rel=prev, <?page=2>; rel=next"#,
        #"</v1/goods?page=2>; rel="next"; rel="prev""#,
        #"<goods?page=2>; crossorigin; rel="next""#,
        #", ,<?page=2>; rel=next,"#,
        #"<//api.example.com/v1/goods?page=2>; rel=next"#,
        #"<?page=1>; rel="prev"; anchor="/x", <?page=2>; rel="next", <?page=3>; rel="next""#,
        #"<?page=7>; rel="next"; anchor="/other", <?page=2>; rel="next""#,
    ])
    func `the next page is found`(field: String) {
        #expect(response(link: field).nextPage == "https://api.example.com/v1/goods?page=2")
    }

    @Test(arguments: [
        "", ",", "<", "<>", ">", "<?page=2", "<?page=2>", "?page=2; rel=next",
        "<?page=2>; rel", "<?page=2>; rel=", #"<?page=2>; rel=""#, #"<?page=2>; rel="next"#,
        #"<?page=2>; rel="next\"#, #"<?page=2>; rel=next; title=""#, "<?page=2> rel=next",
        "<?page=2>; rel=prev",
        "<?page=2>; rel=nextish", "<?page=2>; rel=prev; rel=next", "<?page=2>; =next",
        "<mailto:a@b.example>; rel=next", "<ftp://a.example/?page=2>; rel=next",
        "<https:>; rel=next", "<?page=2>; title=next",
        "<?page=2>;;;;", "<http://[>; rel=next", "\u{0}<\u{FFFD}",
        #"<?page=2>; rel="next"junk, <?page=3>; rel="prev""#, "<a b\">; rel", "<<?page=2>>",
    ])
    func `a field without a valid link to a next page has none`(field: String) {
        #expect(response(link: field).nextPage == nil)
    }

    @Test func `a relative URL is ignored if the URL of the response is unknown`() {
        let relative = NetworkResponse(headers: ["Link": "<?page=2>; rel=next"])
        let absolute = NetworkResponse(headers: ["Link": "<https://a.example/?page=2>; rel=next"])

        #expect(relative.nextPage == nil && NetworkResponse(url: .api).nextPage == nil)
        #expect(absolute.nextPage == "https://a.example/?page=2")
    }

    @Test func `random fields do not crash or produce a wrong page`() {
        var generator = SeededGenerator(seed: 8_288)
        let pieces = ["<", ">", ";", ",", "\"", "\\", "=", "rel", "next", "?page=2", " ", "é", "a"]
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...12, using: &generator)
            let field = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
            let next = response(link: field.joined()).nextPage
            #expect(next == nil || field.contains("next"))
        }
    }

    @Test func `pages are followed from link to link without a URL from the networking`()
        async throws
    {
        let client = NetworkClient { request in
            request.url?.query() == "page=2"
                ? .json("[2]")
                : .json("[1]", headers: ["Link": "<?page=2>; rel=next"])
        }
        let request = NetworkRequest<[Int]>.get("goods").map { ($0, $1.nextPage) }

        let (first, next) = try await client.send(request)
        let (second, end) = try await client.send(request.following(next))

        #expect(first + second == [1, 2])
        #expect(end == nil)
    }

    // Rule: security/response-size-is-limited (26)
    @Test(
        .tags(.timing),
        .timed,
        arguments: [
            ",", "<a>,", "<a>; b;", "<a>; rel=\"b c\", ", #"<a>; rel="\"\"", "#, "\\\"", " ", "a",
        ]
    )
    func `the work for a Link field is proportional to its length`(part: String) {
        let growth = growth { (response: NetworkResponse) in
            _ = response.nextPage
        } for: { length in
            response(link: "<?page=1>; a=\"b\", " + String(repeating: part, count: length))
        }

        #expect(growth < 200)
    }

    // Rule: security/next-page-on-same-host (32)
    @Test func `a next page on another origin is refused before anything is sent`() async throws {
        let next = response(link: "<https://elsewhere.example/?page=2>; rel=next").nextPage

        let error = await NetworkClient.sendingNothing().error(
            of: NetworkRequest<[Int]>.get("goods").following(next)
        )

        #expect(error?.code == .redirect)
        #expect(error?.url?.host() == "elsewhere.example")
        #expect(error?.localizedDescription.contains("elsewhere.example") == false)
    }

    // Rule: requests/next-page-keeps-query (9)
    @Test(
        arguments: [
            ("?page=2", "q=boots&ids=1&ids=2&filter[color]=red&page=2"),
            ("?page=2&q=pan", "ids=1&ids=2&filter[color]=red&page=2&q=pan"),
            ("?q&page=2", "ids=1&ids=2&filter[color]=red&q=&page=2"),
            ("?ids=2&page=2", "q=boots&filter[color]=red&ids=2&page=2"),
            ("?ids[]=2&page=2", "q=boots&filter[color]=red&ids[]=2&page=2"),
            ("?ids[0]=1&ids[11]=2", "q=boots&filter[color]=red&ids[0]=1&ids[11]=2"),
            (
                "?filter[size]=4&ids[a]=1",
                "q=boots&ids=1&ids=2&filter[color]=red&filter[size]=4&ids[a]=1"
            ),
            ("?filter%5Bcolor%5D=blue", "q=boots&ids=1&ids=2&filter[color]=blue"),
            ("?page=2&page=3", "q=boots&ids=1&ids=2&filter[color]=red&page=2&page=3"),
            ("/x?a=1&Q=2", "q=boots&ids=1&ids=2&filter[color]=red&a=1&Q=2"),
        ] as [(PageCursor, String)]
    )
    func `the request keeps the items that the link does not have`(
        cursor: PageCursor,
        expected: String
    ) throws {
        var request = NetworkRequest<[Int]>.get(
            "goods",
            query: ["q": "boots", "ids": "1", "ids": "2", "filter[color]": "red"]
        )
        request.query.append(URLQueryItem(name: "cursor", value: cursor.rawValue))

        #expect(try query(of: request.following(cursor)) == expected)
        #expect(
            try query(of: request.following(cursor).map { $0.count + $1.statusCode }) == expected
        )
    }

    @Test func `the query of the link is complete if the request does not keep its own`() throws {
        let request = NetworkRequest<[Int]>.get("goods", query: ["q": "boots"])

        #expect(try query(of: request.following("?page=2", keepingQuery: false)) == "page=2")
        #expect(try query(of: request.following(nil, keepingQuery: false)) == "q=boots")
        #expect(try query(of: request.following("?page=2").following(nil)) == "q=boots")
    }

    @Test func `a cursor that is not a URL is a value of the query`() throws {
        for cursor in ["2", "/v2", "a?page=2", ""] as [PageCursor] {
            let request = NetworkRequest<[Int]>
                .get("goods", query: ["q": "boots", "after": cursor.rawValue])

            #expect(
                try request.following(cursor).urlRequest(relativeTo: .api)
                    == request.urlRequest(relativeTo: .api)
            )
        }
    }

    // Rule: requests/next-page-is-another-page (10)
    @Test(
        arguments: [
            "2", "/v2", "a?page=2", "", "?", "https://api.example.com/v1/goods",
            "https://api.example.com/v1/goods/page/2", "/v1/goods/page/2?q=boots",
            "?q=boots&after=%01%FFk", "?q=M%FCller&page=2",
        ] as [PageCursor]
    )
    func `a cursor that would load the first page again is refused`(cursor: PageCursor) throws {
        let request = NetworkRequest<[Int]>.get("goods", query: ["q": "boots"])

        let error = #expect(throws: NetworkError.self) {
            try request.following(cursor).urlRequest(relativeTo: .api)
        }

        #expect(error?.code == .invalidRequest)
        #expect(error?.debugDescription.contains("next page cannot be loaded") == true)
        #expect(error?.mayHaveReachedServer == false)
    }

    // Rule: requests/next-page-keeps-query (9)
    @Test func `pages in one format are followed`() async throws {
        let client = NetworkClient { request in
            request.url?.query() == "q=pan&page=2"
                ? .json(#"{"data": [2], "meta": {"more": true, "count": 2}}"#)
                : .json(#"{"data": [1], "meta": {"next": "?page=2", "more": true, "count": 2}}"#)
        }
        let format = PageFormat(
            items: "data",
            next: "meta.next",
            hasNext: "meta.more",
            total: "meta.count"
        )
        let request = NetworkRequest<Page<Int>>.get("goods", query: ["q": "pan"])

        let first = try await client.send(request.page(format))
        let second = try await client.send(request.page(format, following: first.next))

        #expect(first == Page([1], next: "?page=2", total: 2))
        #expect(second == Page([2], total: 2))
    }

    private func query<Output>(of request: NetworkRequest<Output>) throws -> String? {
        try request.urlRequest(relativeTo: .api).url?.query(percentEncoded: false)
    }

    private func response(link: String) -> NetworkResponse {
        NetworkResponse(
            headers: ["Link": link],
            url: URL(string: "https://api.example.com/v1/goods")
        )
    }
}
