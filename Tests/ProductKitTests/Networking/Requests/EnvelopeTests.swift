import Foundation
import ProductKit
import Testing

/// Outputs that are inside of other members.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EnvelopeTests {
    @Test func `an error inside of an envelope contains the complete path`() async throws {
        let client = client(#"{"data": {"product": {"id": 7, "prices": [{}]}}}"#)

        let error = await client.error(of: NetworkRequest<Product>.get("p").inside("data.product"))

        #expect(error?.code == .unreadable)
        #expect(error?.debugDescription.contains("“data.product.name”") == true)
    }

    @Test(
        arguments: [
            (#"{"data": {"product": {"id": 7, "name": "Pan"}}, "meta": {}}"#, "Pan"),
            (#"{"data": {"product": null}}"#, nil), (#"{"data": {}}"#, nil),
        ] as [(String, String?)]
    )
    func `a product is decoded inside of an envelope, nil if it is missing`(
        body: String,
        name: String?
    ) async throws {
        let request = NetworkRequest<Product?>.get("p").inside("data.product")

        #expect(try await client(body).send(request)?.name == name)
    }

    @Test func `a page is decoded from members with other names`() async throws {
        let request = NetworkRequest<Page<Product>>.get("goods")
            .page(items: "result.goods", next: "more", total: "n")

        let page = try await client(
            #"{"result": {"goods": [{"id": 1, "name": "A"}, {"id": 2}]}, "more": "c2", "n": 12}"#
        )
        .send(request)

        #expect(page.items.map(\.id) == ["1"] && page.next == "c2" && page.total == 12)
        #expect(page.rejected.map(\.index) == [1] && page.rejected.map(\.member) == ["name"])
    }

    @Test(
        arguments: [
            (#"{"items": []}"#, nil), (#"{"items": [], "links": null}"#, nil),
            (#"{"items": [], "links": {"next": null}}"#, nil),
            (#"{"items": [], "links": []}"#, nil), (#"{"items": [], "links": false}"#, nil),
            (#"{"items": [], "links": {"next": ""}}"#, nil),
            (#"{"items": [], "links": {"next": 2}}"#, "2"),
            (#"{"items": [], "links": {"next": "c"}}"#, "c"),
        ] as [(String, PageCursor?)]
    )
    func `the next cursor may be missing, a string or a number`(
        body: String,
        next: PageCursor?
    ) async throws {
        let request = NetworkRequest<Page<Product>>.get("goods")
            .page(items: "items", next: "links.next", total: "meta.total")

        #expect(try await client(body).send(request) == Page([], next: next))
    }

    @Test(
        arguments: [
            (#"{"nodes": [], "info": {"end": "c", "more": true}}"#, "c"),
            (#"{"nodes": [], "info": {"end": "c", "more": false}}"#, nil),
            (#"{"nodes": [], "info": {"end": "c", "more": null}}"#, "c"),
            (#"{"nodes": [], "info": {"end": "c"}}"#, "c"),
            (#"{"nodes": [], "info": {"end": null, "more": true}}"#, nil),
            (#"{"nodes": []}"#, nil),
        ] as [(String, PageCursor?)]
    )
    func `the last page may have a cursor`(body: String, next: PageCursor?) async throws {
        let request = NetworkRequest<Page<Product>>.get("goods")
            .page(items: "nodes", next: "info.end", hasNext: "info.more")

        #expect(try await client(body).send(request) == Page([], next: next))
    }

    // Rule: json/page-members-are-lenient (20)
    @Test(arguments: [
        (#"{"total": 1.5}"#, ["d.total"]), (#"{"total": "9"}"#, []),
        (#"{"hasNext": 1}"#, ["d.hasNext"]),
        (#"{"total": {}, "hasNext": "no"}"#, ["d.total", "d.hasNext"]), (#"{"next": false}"#, []),
    ])
    func `an invalid total or flag of a page is reported`(
        json: String,
        paths: [String]
    ) async throws {
        let request = NetworkRequest<Page<Product>>.get("goods")
            .page(items: "items", next: "d.next", hasNext: "d.hasNext", total: "d.total")
        let body = #"{"items": [{"id": 1, "name": "A"}], "d": \#(json)}"#

        let page = try await client(body).send(request)

        #expect(page.items.map(\.id) == ["1"] && page.invalidMembers.map(\.path) == paths)
    }

    // Rule: json/empty-page-forms (19)
    @Test func `null in place of the elements of an own format is an empty page`() async throws {
        let request = NetworkRequest<Page<Product>>.get("goods").page(items: "data.items")

        #expect(try await client(#"{"data": {"items": null}}"#).send(request) == Page([]))
    }

    @Test(arguments: [
        (#"{"goods": []}"#, "items"), (#"{"items": {}}"#, "items"),
        (#"{"items": [], "next": 1.5}"#, "next"),
        (#"{"items": [], "next": {"page": 2}}"#, "next"),
        (#"{"items": [], "next": true}"#, "next"),
    ])
    func `an error contains the invalid member of a page`(body: String, member: String) async throws
    {
        let request = NetworkRequest<Page<Product>>.get("goods")
            .page(items: "items", next: "next", hasNext: "hasNext", total: "total")

        let error = await client(body).error(of: request)

        #expect(error?.code == .unreadable)
        #expect(error?.debugDescription.contains("“\(member)”") == true)
    }

    @Test func `a page may be the whole body or an array inside of it`() async throws {
        let whole = NetworkRequest<Page<Product>>.get("goods").page()
        let inside = NetworkRequest<Page<Product>>.get("goods").inside("data.goods")
        let array = #"[{"id": 1, "name": "A"}, 7]"#

        for page in [
            try await client(array).send(whole),
            try await client("{\"data\": {\"goods\": \(array)}}").send(inside),
        ] {
            #expect(page.items.map(\.id) == ["1"] && page.rejected.map(\.index) == [1])
        }
    }

    @Test func `a decoding error of map is unreadable and contains the member`() async throws {
        let request = NetworkRequest<String>.get("price").map { text, _ in try price(text) }

        let error = await client(#""abc""#).error(of: request)

        #expect(error?.code == .unreadable && error?.statusCode == 200)
        #expect(error?.method == "GET")
        #expect(error?.debugDescription.contains("“price”") == true)
        #expect(error?.debugDescription.contains("“abc” is not an amount of money") == true)
    }

    @Test func `a decoding error of any map inside of an envelope contains the complete path`()
        async throws
    {
        let text = NetworkRequest<String>.get("price").inside("data.offers[0]")
        let requests = [
            text.map { text, _ in try price(text) }.map { price, _ in price.amount },
            text.map { text, _ in text + "!" }.map { text, _ in try price(text).amount },
        ]

        for request in requests {
            let error = await #expect(throws: NetworkError.self) {
                try await client(#"{"data": {"offers": ["abc"]}}"#).send(request)
            }
            #expect(error?.debugDescription.contains("“data.offers[0].price”") == true)
        }
    }

    @Test func `a decoding error of map contains the path that was set last`() async throws {
        let request = NetworkRequest<Page<Product>>.get("goods").inside("data").page(items: "goods")
            .map { page, _ in try MemberPath("total").reading { try Price("abc", currency: "EUR") }
            }

        let error = await #expect(throws: NetworkError.self) {
            try await client(#"{"goods": []}"#).send(request)
        }

        #expect(error?.debugDescription.contains("“total”") == true)
    }

    @Test func `another error of map is thrown unchanged`() async throws {
        let request =
            NetworkRequest<String>.get("price").inside("data")
            .map { _, _ in throw UnsupportedOperation("price") } as NetworkRequest<Int>

        await #expect(throws: UnsupportedOperation("price")) {
            try await client(#"{"data": "abc"}"#).send(request)
        }
    }

    private func client(_ body: String) -> NetworkClient {
        NetworkClient { _ in .json(body) }
    }
}

private func price(_ text: String) throws -> Price {
    try MemberPath("price").reading { try Price(text, currency: "EUR") }
}
