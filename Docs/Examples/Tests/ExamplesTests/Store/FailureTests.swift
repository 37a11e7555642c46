import EmbeddedStore
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct FailureTests {
    @Test func `a refused token is reported as unauthorized`() async throws {
        try await EmbeddedStore.withService(token: "wrong") { _, service in
            let error = await #expect(throws: NetworkError.self) {
                try await service.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .unauthorized)
            #expect(error?.problem != nil && error?.statusCode == 401)
            #expect(error.map { String(reflecting: $0) }?.contains("wrong") == false)
        }
    }

    @Test func `a closed port is reported as unreachable`() async throws {
        // Port 1, because another process may already use the port of a closed store.
        let address = try #require(URL(string: "http://127.0.0.1:1/v1"))
        let loader = ProductLoader(baseURL: address)

        let error = await #expect(throws: NetworkError.self) {
            try await loader.loadProduct(withID: "walking-boots")
        }

        #expect(error?.code == .unreachable)
        #expect(error?.url?.host() == "127.0.0.1")
    }

    @Test func `a web page instead of JSON is reported with a hint about the base URL`()
        async throws
    {
        try await EmbeddedStore.withService(
            intercept: { _, _ in
                StoreResponse(
                    status: 200,
                    text: "<html><body>Welcome!</body></html>",
                    type: "text/html"
                )
            }
        ) { _, service in
            let error = await #expect(throws: NetworkError.self) {
                try await service.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .unreadable)
            #expect(error?.debugDescription.contains("base URL") == true)
        }
    }

    @Test(
        arguments: [
            (400, NetworkError.Code.rejected), (403, .forbidden), (409, .conflict),
            (422, .rejected), (429, .throttled), (500, .unavailable), (503, .unavailable),
        ]
    )
    func `a status code determines the error code`(
        status: Int,
        code: NetworkError.Code
    ) async throws {
        try await EmbeddedStore.withService(intercept: { _, _ in
            .problem(status, detail: "Because.")
        }) { _, service in
            let error = await #expect(throws: NetworkError.self) {
                try await service.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == code)
            #expect(error?.statusCode == status)
            #expect(error?.problem?.detail == "Because.")
        }
    }

    @Test func `a truncated response is reported as incomplete`() async throws {
        try await EmbeddedStore.withService(
            intercept: { _, handle in await handle().cutOff(after: 40) }
        ) { _, service in
            let error = await #expect(throws: NetworkError.self) {
                try await service.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .incomplete)
        }
    }

    @Test func `a connection that closes without a response is reported as lost`() async throws {
        try await EmbeddedStore.withService(intercept: { _, _ in .connectionClosed }) {
            _,
            service in
            let error = await #expect(throws: NetworkError.self) {
                try await service.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .connectionLost)
        }
    }

    @Test func `an invalid product is rejected, and the others are returned`() async throws {
        let page = """
            {"items": [{"id": 1, "name": "One"}, {"id": 2}, {"id": 3, "name": "Three", \
            "prices": [{"amount": "9,99", "currency": "EUR"}]}, {"id": "4", "name": "Four"}]}
            """
        try await EmbeddedStore.withService(
            intercept: { _, _ in StoreResponse(status: 200, text: page, type: "application/json") }
        ) { _, service in
            let page = try await service.loader.products()

            #expect(page.items.map(\.name) == ["One", "Four"])
            #expect(page.rejected.map(\.index) == [1, 2])
            #expect(page.rejected.map(\.member) == ["name", "prices[0].amount"])
        }
    }
}
