import EmbeddedStore
import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct RedirectTests {
    @Test func `a redirect to the same origin is followed with the token`() async throws {
        try await EmbeddedStore.withService(
            intercept: { request, handle in
                guard request.path == "/v1/products/walking-boots" else { return await handle() }
                return StoreResponse(
                    status: 301,
                    headers: ["Location": "/v1/products/enamel-mug"]
                )
            }
        ) { _, service in
            let product = try await service.loader.loadProduct(withID: "walking-boots")

            #expect(product.id == "enamel-mug")
        }
    }

    @Test func `a redirect to a trailing slash is followed`() async throws {
        try await EmbeddedStore.withService(
            intercept: { request, handle in
                request.path == "/v1/products"
                    ? StoreResponse(status: 308, headers: ["Location": "/v1/products/"])
                    : StoreResponse(status: 200, text: #"{"items": []}"#, type: "application/json")
            }
        ) { _, service in
            let page = try await service.loader.products()

            #expect(page.items.isEmpty)
        }
    }

    @Test func `a redirect to another origin is followed without the token`() async throws {
        let requests = Recorder<StoreRequest>()
        try await withEmbeddedStore(
            intercept: { request, handle in
                requests.record(request)
                return await handle()
            }
        ) { _, otherURL in
            try await EmbeddedStore.withService(
                intercept: { request, _ in
                    StoreResponse(
                        status: 302,
                        headers: ["Location": "\(otherURL)/products/walking-boots"]
                    )
                }
            ) { _, service in
                let error = await #expect(throws: NetworkError.self) {
                    try await service.loader.loadProduct(withID: "walking-boots")
                }

                #expect(error?.code == .unauthorized)
                let request = try #require(requests.all.first)
                #expect(request.header("Authorization") == nil)
                #expect(request.header("Accept") == "application/json")
                #expect(request.header("Accept-Language") == "en-US")
            }
        }
    }

    @Test func `an endless chain of redirects is an error`() async throws {
        try await EmbeddedStore.withService(
            intercept: { request, _ in
                StoreResponse(status: 302, headers: ["Location": request.path + "x"])
            }
        ) { store, service in
            let error = await #expect(throws: NetworkError.self) {
                try await service.loader.loadProduct(withID: "walking-boots")
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
    func `a redirect to a forbidden URL is an error`(location: String) async throws {
        try await EmbeddedStore.withService(
            intercept: { _, _ in StoreResponse(status: 302, headers: ["Location": location]) }
        ) { store, service in
            let error = await #expect(throws: NetworkError.self) {
                try await service.loader.loadProduct(withID: "walking-boots")
            }

            #expect(error?.code == .redirect)
            #expect(store.exchanges.count == 1)
        }
    }

    @Test func `a user name and password in a redirect are dropped`() async throws {
        let requests = Recorder<StoreRequest>()
        try await withEmbeddedStore(
            intercept: { request, _ in
                requests.record(request)
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

            #expect(requests.all.count == 2)
            #expect(requests.all.allSatisfy { $0.header("Authorization") == nil })
        }
    }

    @Test func `a redirect of an unsafe request is returned as a response`() async throws {
        try await EmbeddedStore.withService(
            intercept: { request, _ in
                StoreResponse(status: 307, headers: ["Location": "/v1/elsewhere"])
            }
        ) { store, service in
            let error = await #expect(throws: NetworkError.self) {
                try await service.listManager.createList(named: "Gifts")
            }

            #expect(error?.statusCode == 307)
            #expect(store.exchanges.count == 1)
        }
    }
}
