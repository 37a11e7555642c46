/// Responses in the format of the Storefront API of Shopify, with invented values.
enum ShopifyFixtures {
    static let gid = "gid://shopify/Product/42"

    static func product(_ id: String = gid, amount: String = #""12.5""#) -> String {
        """
        {
          "id": "\(id)", "title": "Mug", "description": "Holds 400 ml.", "vendor": "Kiln & Co",
          "onlineStoreUrl": "https://shop.example/products/mug", "availableForSale": true,
          "updatedAt": "2024-03-29T15:25:32Z",
          "images": {"nodes": [{"url": "https://cdn.shop.example/mug.jpg?v=1"}]},
          "priceRange": {"minVariantPrice": {"amount": \(amount), "currencyCode": "CAD"}}
        }
        """
    }

    static func products(_ nodes: String..., next: String? = nil) -> String {
        """
        {"data": {"products": {"nodes": [\(nodes.joined(separator: ","))], "pageInfo":
         {"hasNextPage": \(next != nil), "endCursor": "\(next ?? "eyJsYXN0X2lkIjo0Mn0=")"}}},
         "extensions": {"cost": {"requestedQueryCost": 3}}}
        """
    }

    static func data(_ member: String, _ value: String) -> String {
        "{\"data\": {\"\(member)\": \(value)}}"
    }

    static func cart(_ products: String..., name: String? = nil) -> String {
        let lines = products.enumerated().map { index, product in
            """
            {"id": "gid://shopify/CartLine/\(index)?cart=c1",
             "merchandise": {"product": {"id": "\(product)"}}}
            """
        }
        let attribute = name.map { "{\"value\": \"\($0)\"}" } ?? "null"
        return """
            {"id": "gid://shopify/Cart/c1?key=8f0c", "updatedAt": "2024-03-29T15:25:32Z",
             "attribute": \(attribute), "lines": {"nodes": [\(lines.joined(separator: ","))]}}
            """
    }

    static let throttled = """
        {"errors": [{"message": "Throttled", "extensions": {"code": "THROTTLED"}}], "data": null}
        """

    static func userError(_ mutation: String) -> String {
        data(
            mutation,
            """
            {"cart": null, "userErrors": [{"code": "INVALID", "message": "Sold out"}]}
            """
        )
    }
}
