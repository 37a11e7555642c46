import Foundation
import ProductKit
import Testing

/// Decodes responses of sixteen backends with the library alone, without an adapter.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EveryBackendTests {
    private static let samples =
        BackendSample.objects + BackendSample.textsAndNumbers + BackendSample.minorUnits

    @Test func `the samples include sixteen backends`() {
        let names = Self.samples.map { $0.backend.prefix { $0 != "," } }

        #expect(Set(names).count == 16)
    }

    @Test(arguments: samples)
    func `an identifier of any kind is decoded unchanged`(sample: BackendSample) throws {
        guard let id = sample.id else { return }
        let response = NetworkResponse.json(sample.json)

        #expect(try response.json(Product.ID.self, at: id.path).rawValue == id.text)
    }

    @Test(arguments: samples)
    func `a price is decoded exactly`(sample: BackendSample) throws {
        let price = try sample.price(.json(sample.json))

        #expect(price.map { "\($0.amount) \($0.currency)" } == sample.expected)
    }

    @Test(arguments: samples)
    func `an identifier is sent as one path segment`(sample: BackendSample) async throws {
        guard let id = sample.id else { return }
        let exchange = Exchange(NetworkResponse(statusCode: 204))
        let client = NetworkClient(baseURL: .store, networking: exchange.networking)

        try await client.send(NetworkRequest<Void>.delete("products", Product.ID(id.text)))

        let url = try #require(exchange.urls.first)
        #expect(url.absoluteString.split(separator: "/").count == 5)
        #expect(
            url.lastPathComponent == id.text
                || url.path().removingPercentEncoding?.hasSuffix(id.text) == true
        )
    }

    @Test(
        arguments: [
            (
                #"{"products": [{"id": 1}], "total": 194, "skip": 0, "limit": 1}"#, "products", nil,
                "total", nil, 194
            ),
            (
                #"{"count": 60, "next": "https://a/?offset=4", "results": [{"id": 3}]}"#, "results",
                "next", "count", "https://a/?offset=4", 60
            ),
            (
                #"{"offset": 0, "count": 1, "total": 1, "results": [{"id": "080f"}]}"#, "results",
                nil, "total", nil, 1
            ),
            (
                #"{"object": "list", "data": [{"id": "prod_1"}], "has_more": false}"#, "data", nil,
                nil, nil, nil
            ),
            (#"{"objects": [{"id": "W62"}], "cursor": "c="}"#, "objects", "cursor", nil, "c=", nil),
            (
                #"{"data": [{"id": 174}], "meta": {"pagination": {"total": 12}}}"#, "data", nil,
                "meta.pagination.total", nil, 12
            ),
            (
                #"{"items": [{"id": 42}], "search_criteria": {}, "total_count": 7}"#, "items", nil,
                "total_count", nil, 7
            ),
            (
                #"{"products": [{"id": "prod_01H"}], "count": 3, "offset": 0}"#, "products", nil,
                "count", nil, 3
            ),
            (
                #"{"data": {"products": {"totalCount": 9, "nodes": [{"id": "UHJ="}], "pageInfo": {"endCursor": "W"}}}}"#,
                "data.products.nodes", "data.products.pageInfo.endCursor",
                "data.products.totalCount", "W", 9
            ),
            (#"[{"id": 794}]"#, "", nil, nil, nil, nil),
        ] as [(String, MemberPath, MemberPath?, MemberPath?, PageCursor?, Int?)]
    )
    func `a page is decoded with any member names`(
        json: String,
        items: MemberPath,
        next: MemberPath?,
        total: MemberPath?,
        cursor: PageCursor?,
        count: Int?
    ) async throws {
        let client = NetworkClient(baseURL: .store, networking: .closure { _ in .json(json) })
        let request = NetworkRequest<Page<[String: Product.ID]>>.get("products")
            .page(items: items, next: next, total: total.map { .member($0) })

        let page = try await client.send(request)

        #expect(page.items.count == 1)
        #expect(page.next == cursor)
        #expect(page.total == count)
    }

    @Test func `null in a successful response is decoded as nil`() throws {
        #expect(try NetworkResponse.json("null").json(Product?.self) == nil)
    }

    @Test(
        arguments: [
            (
                #"{"message": "Invalid data: %1", "parameters": ["set"]}"#, "message", nil,
                "Invalid data: %1"
            ),
            (
                #"{"message": "first_name must be a string", "type": "invalid_data"}"#, "message",
                "type", "first_name must be a string"
            ),
            (WooCommerceFixtures.missing, "message", "code", "Invalid product ID."),
            (
                CommercetoolsFixtures.error(409, "ConcurrentModification"), "errors[0].message",
                "errors[0].code", "It failed."
            ),
        ] as [(String, MemberPath, MemberPath?, String)]
    )
    func `an error is decoded with any member names`(
        body: String,
        message: MemberPath,
        code: MemberPath?,
        detail: String
    ) {
        let error = NetworkError(.json(body, statusCode: 400), message: message, code: code)

        #expect(error.problem?.detail == detail)
        #expect((error.problem?.type == "about:blank") == (code == nil))
    }
}
