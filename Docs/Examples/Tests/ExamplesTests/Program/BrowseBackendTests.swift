import Foundation
import Testing

/// Runs `shop browse` with each of the other backends, over HTTP.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BrowseBackendTests {
    @Test func `the products of WooCommerce are listed page by page with page numbers`()
        async throws
    {
        let requests = try await BackendServer.run { request in
            let page = request.line.contains("page=2") ? 2 : 1
            return (
                """
                [{"id": \(page), "name": "Mug \(page)", "is_in_stock": true, "prices":
                  {"price": "1250", "currency_code": "EUR", "currency_minor_unit": 2}},
                 {"id": \(page)7}]
                """,
                ["X-WP-Total": "4", "X-WP-TotalPages": "2"]
            )
        } during: { url in
            let run = try await browse(
                ["--api", "\(url)/wp-json/wc/store/v1", "--backend", "woocommerce"]
                    + ["--token", "demo-token", "--search", "mug"]
            )

            #expect(run.output.contains("Mug 1"))
            #expect(run.output.contains("Mug 2"))
            #expect(run.output.contains("12.50"))
        }

        #expect(
            requests.map(\.line) == [
                "GET /wp-json/wc/store/v1/products?search=mug",
                "GET /wp-json/wc/store/v1/products?search=mug&page=2",
            ]
        )
        #expect(Set(requests.map { $0.fields["authorization"] }) == ["Bearer demo-token"])
    }

    @Test func `the products of commercetools are listed page by page with offsets`() async throws {
        let requests = try await BackendServer.run { request in
            let offset = request.line.contains("offset=1") ? 1 : 0
            guard !request.line.contains("/me/") else { return Self.noLists }
            return (
                """
                {"offset": \(offset), "count": 1, "total": 2, "results": [{"id": "p\(offset)",
                 "version": 1, "name": {"en": "Mug \(offset)"}, "masterVariant": {"prices": [
                  {"value": {"centAmount": 1250, "fractionDigits": 2, "currencyCode": "EUR"}}]}}]}
                """, [:]
            )
        } during: { url in
            let run = try await browse(
                ["--api", "\(url)/my-project", "--backend", "commercetools"]
                    + ["--token", "demo-token"]
            )

            #expect(run.output.contains("Mug 0"))
            #expect(run.output.contains("Mug 1"))
            #expect(run.output.contains("12.50"))
        }

        #expect(
            requests.map(\.line).filter { !$0.contains("/me/") } == [
                "GET /my-project/product-projections/search",
                "GET /my-project/product-projections/search?offset=1",
            ]
        )
        #expect(requests.last?.fields["authorization"] == "Bearer demo-token")
    }

    @Test func `the products of Shopify are listed, and one is opened`() async throws {
        let requests = try await BackendServer.run { request in
            let product = """
                {"id": "gid://shopify/Product/42", "title": "Mug", "availableForSale": true,
                 "priceRange": {"minVariantPrice": {"amount": "12.5", "currencyCode": "EUR"}}}
                """
            guard request.body.contains("products(") else {
                return ("{\"data\": {\"product\": \(product)}}", [:])
            }
            return (
                """
                {"data": {"products": {"nodes": [\(product)],
                 "pageInfo": {"hasNextPage": false, "endCursor": "x"}}}}
                """, [:]
            )
        } during: { url in
            let run = try await browse(
                ["--interactive", "--api", "\(url)/api/2025-07/graphql.json"]
                    + ["--backend", "shopify", "--token", "demo-token"],
                input: "1\n*1\nq\n"
            )

            #expect(run.output.contains("gid://shopify/Product/42"))
            #expect(run.output.contains("│ ☆ Mug"))
            #expect(run.output.contains("Lists: none"))
            #expect(run.output.contains("✗ This shop does not offer this function"))
        }

        #expect(
            requests.map(\.line) == Array(repeating: "POST /api/2025-07/graphql.json", count: 2)
        )
        #expect(
            requests.map { $0.fields["x-shopify-storefront-access-token"] } == [
                "demo-token", "demo-token",
            ]
        )
        #expect(requests.last?.body.contains(#""id":"gid://shopify/Product/42""#) == true)
    }

    @Test(
        arguments: [
            ("woocommerce", #"[{"id": 1, "name": "Mug"}]"#),
            (
                "commercetools",
                #"{"offset": 0, "count": 1, "total": 1, "results": [{"id": "p", "name": {"en": "Mug"}, "masterVariant": {}}]}"#
            ),
            (
                "shopify",
                #"{"data": {"products": {"nodes": [{"id": "p", "title": "Mug"}], "pageInfo": {"hasNextPage": false}}}}"#
            ),
        ]
    )
    func `stored products are listed offline, and nothing is sent`(
        backend: String,
        json: String
    ) async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            let folder = directory.path(percentEncoded: false)
            let requests = try await BackendServer.run { request in
                request.line.contains("/me/")
                    ? Self.noLists : (json, ["X-WP-Total": "1", "X-WP-TotalPages": "1"])
            } during: { url in
                let arguments = [
                    "--api", "\(url)/api", "--backend", backend, "--token", "demo-token", "--user",
                    "ann", "--cache", folder,
                ]
                let online = try await browse(arguments)
                let offline = try await browse(arguments + ["--offline"])

                #expect(online.output.contains("Mug"))
                #expect(!online.output.contains("offline"))
                #expect(offline.output.contains("Mug"))
                #expect(offline.output.contains("(offline, as of "))
            }

            #expect(requests.count == (backend == "commercetools" ? 2 : 1))
        }
    }

    @Test func `a request without a token has no Authorization field`() async throws {
        let requests = try await BackendServer.run { _ in
            ("[]", [:])
        } during: { url in
            _ = try await browse(["--api", "\(url)", "--backend", "woocommerce"])
        }

        #expect(requests.count == 1)
        #expect(requests.first?.fields["authorization"] == nil)
    }

    @Test func `another backend requires a base URL and a known name`() async throws {
        let withoutURL = try await ShopProgram.run(["browse", "--backend", "shopify"])
        let unknown = try await ShopProgram.run(["browse", "--backend", "magento"])

        #expect(withoutURL.status != 0)
        #expect(
            withoutURL.errors.contains(
                "--backend shopify requires the base URL of a store: add --api."
            )
        )
        #expect(unknown.status != 0)
        #expect(unknown.errors.contains("woocommerce"))
    }

    private static let noLists =
        (json: #"{"offset": 0, "count": 0, "total": 0, "results": []}"#, fields: [String: String]())

    private func browse(_ arguments: [String], input: String = "") async throws -> ShopProgram.Run {
        let run = try await ShopProgram.run(["browse"] + arguments, input: input)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty, "\(run.errors)")
        return run
    }
}
