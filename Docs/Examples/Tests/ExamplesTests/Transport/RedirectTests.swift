import EmbeddedStore
import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct RedirectTests {
    @Test func `a redirect on the same origin is followed with the token`() async throws {
        try await withShop(
            intercept: { request, handle in
                guard request.path == "/v1/products/walking-boots" else { return await handle() }
                return StoreResponse(
                    status: 301,
                    headers: ["Location": "/v1/products/enamel-mug"]
                )
            }
        ) { _, shop in
            let product = try await shop.loader.loadProduct(withID: "walking-boots")

            #expect(product.id == "enamel-mug")
        }
    }

    @Test func `a redirect to a slash is followed`() async throws {
        try await withShop(
            intercept: { request, handle in
                request.path == "/v1/products"
                    ? StoreResponse(status: 308, headers: ["Location": "/v1/products/"])
                    : StoreResponse(status: 200, text: #"{"items": []}"#, type: "application/json")
            }
        ) { _, shop in
            let page = try await shop.loader.products()

            #expect(page.items.isEmpty)
        }
    }

    @Test func `a redirect to another origin carries nothing secret`() async throws {
        let seen = Recorder<StoreRequest>()
        try await withEmbeddedStore(
            intercept: { request, handle in
                seen.record(request)
                return await handle()
            }
        ) { _, elsewhere in
            try await withShop(
                intercept: { request, _ in
                    StoreResponse(
                        status: 302,
                        headers: ["Location": "\(elsewhere)/products/walking-boots"]
                    )
                }
            ) { _, shop in
                let error = await #expect(throws: NetworkError.self) {
                    try await shop.loader.loadProduct(withID: "walking-boots")
                }

                #expect(error?.code == .unauthorized)
                let request = try #require(seen.all.first)
                #expect(request.header("Authorization") == nil)
                #expect(request.header("Accept") == "application/json")
                #expect(request.header("Accept-Language") == "en-US")
            }
        }
    }

    @Test func `a redirect that goes on and on is given up`() async throws {
        try await withShop(
            intercept: { request, _ in
                StoreResponse(status: 302, headers: ["Location": request.path + "x"])
            }
        ) { store, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .redirect)
            #expect(store.exchanges.count == 21)
        }
    }

    @Test(
        arguments: [
            "ftp://127.0.0.1/file", "javascript:alert(1)", "http://shop.example/v1", "http://",
            "file:///etc/hosts",
        ]
    )
    func `a redirect to where nothing must go is refused`(location: String) async throws {
        try await withShop(
            intercept: { _, _ in StoreResponse(status: 302, headers: ["Location": location]) }
        ) { store, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .redirect)
            #expect(store.exchanges.count == 1)
        }
    }

    @Test func `a name and password in a redirect are dropped`() async throws {
        let seen = Recorder<StoreRequest>()
        try await withEmbeddedStore(
            intercept: { request, _ in
                seen.record(request)
                guard request.path.hasSuffix("walking-boots") else {
                    return StoreResponse(
                        status: 200,
                        text: #"{"id": 1, "name": "A"}"#,
                        type: "application/json"
                    )
                }
                let port = request.header("Host")?.split(separator: ":").last ?? ""
                let location = "http://user:secret@127.0.0.1:\(port)/v1/products/other"
                return StoreResponse(status: 302, headers: ["Location": location])
            }
        ) { _, baseURL in
            _ = try await ProductLoader(baseURL: baseURL).loadProduct(withID: "walking-boots")

            #expect(seen.all.count == 2)
            #expect(seen.all.allSatisfy { $0.header("Authorization") == nil })
        }
    }

    @Test func `a redirect that would lose a write is returned`() async throws {
        try await withShop(
            intercept: { request, _ in
                StoreResponse(status: 307, headers: ["Location": "/v1/elsewhere"])
            }
        ) { store, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.listManager.createList(named: "Gifts")
            }

            #expect(error?.statusCode == 307)
            #expect(store.exchanges.count == 1)
        }
    }
}
