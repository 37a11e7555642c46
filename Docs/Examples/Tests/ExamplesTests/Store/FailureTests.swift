import EmbeddedStore
import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct FailureTests {
    @Test func `a refused token is reported as such`() async throws {
        try await withShop(token: "wrong") { _, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .unauthorized)
            #expect(error?.problem != nil && error?.statusCode == 401)
            #expect(error.map { String(reflecting: $0) }?.contains("wrong") == false)
        }
    }

    @Test func `a store that is not there is reported as such`() async throws {
        // The port of a store that has closed may be another one's by now.
        let address = try #require(URL(string: "http://127.0.0.1:1/v1"))
        let loader = ProductLoader(baseURL: address)

        let error = await #expect(throws: NetworkError.self) {
            try await loader.loadProduct(withID: "walking-boots")
        }

        #expect(error?.code == .unreachable)
        #expect(error?.url?.host() == "127.0.0.1")
    }

    @Test func `a web page where JSON was due is reported as such`() async throws {
        try await withShop(
            intercept: { _, _ in
                StoreResponse(
                    status: 200,
                    text: "<html><body>Welcome!</body></html>",
                    type: "text/html"
                )
            }
        ) { _, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .unreadable)
            #expect(error?.localizedDescription.contains("base URL") == true)
        }
    }

    @Test(
        arguments: [
            (400, NetworkError.Code.rejected), (403, .forbidden), (409, .conflict),
            (422, .rejected), (429, .throttled), (500, .unavailable), (503, .unavailable),
        ]
    )
    func `a status becomes what can be done about it`(
        status: Int,
        code: NetworkError.Code
    ) async throws {
        try await withShop(intercept: { _, _ in .problem(status, detail: "Because.") }) { _, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == code)
            #expect(error?.statusCode == status)
            #expect(error?.problem?.detail == "Because.")
        }
    }

    @Test func `an answer that breaks off is no answer`() async throws {
        try await withShop(
            intercept: { _, handle in await handle().cutOff(after: 40) }
        ) { _, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .incomplete)
        }
    }

    @Test func `a connection that closes without an answer is reported as such`() async throws {
        try await withShop(intercept: { _, _ in .connectionClosed }) { _, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .connectionLost)
        }
    }

    @Test func `one bad product costs no other`() async throws {
        let page = """
            {"items": [{"id": 1, "name": "One"}, {"id": 2}, {"id": 3, "name": "Three", \
            "prices": [{"amount": "9,99", "currency": "EUR"}]}, {"id": "4", "name": "Four"}]}
            """
        try await withShop(
            intercept: { _, _ in StoreResponse(status: 200, text: page, type: "application/json") }
        ) { _, shop in
            let page = try await shop.loader.products()

            #expect(page.items.map(\.name) == ["One", "Four"])
            #expect(page.rejected.map(\.index) == [1, 2])
            #expect(page.rejected.map(\.member) == ["name", "prices[0].amount"])
        }
    }
}
