/// Responses in the format of the HTTP API of commercetools, with invented values.
enum CommercetoolsFixtures {
    static func product(_ id: String, name: String = #"{"de": "Becher", "en": "Mug"}"#) -> String {
        """
        {
          "id": "\(id)", "version": 3,
          "productType": {"typeId": "product-type", "id": "1c095f1b"},
          "name": \(name), "description": {"en": "Holds 400 ml."}, "categories": [],
          "slug": {"en": "mug"}, "variants": [], "searchKeywords": {},
          "masterVariant": {
            "id": 1, "sku": "MUG-1", "attributes": [{"name": "ml", "value": {"en": "400"}}],
            "prices": [
              {"id": "p2", "country": "AT", "value": {"type": "centPrecision",
               "currencyCode": "EUR", "centAmount": 1300, "fractionDigits": 2}},
              {"id": "p1", "value": {"type": "centPrecision", "currencyCode": "EUR",
               "centAmount": 1250, "fractionDigits": 2}},
              {"id": "p4", "customerGroup": {"typeId": "customer-group", "id": "vip"},
               "value": {"type": "centPrecision", "currencyCode": "EUR",
               "centAmount": 1100, "fractionDigits": 2}},
              {"id": "p3", "value": {"type": "highPrecision", "currencyCode": "USD",
               "centAmount": 1, "preciseAmount": 123456, "fractionDigits": 7}}
            ],
            "images": [{"url": "https://shop.example/mug.jpg", "dimensions": {"w": 1, "h": 1}}],
            "availability": {"isOnStock": true, "availableQuantity": 4}
          },
          "hasStagedChanges": false, "published": true,
          "createdAt": "2024-01-01T00:00:00.001Z", "lastModifiedAt": "2024-01-07T15:25:50.034Z"
        }
        """
    }

    static func page(_ elements: String..., offset: Int = 0, total: Int) -> String {
        """
        {"offset": \(offset), "count": \(elements.count), "total": \(total), "limit": 20,
         "results": [\(elements.joined(separator: ","))], "facets": {"a.b": {"type": "filter"}}}
        """
    }

    static func list(_ version: Int, _ products: String..., name: String = "Wishlist") -> String {
        let lines = products.enumerated().map { index, product in
            """
            {"id": "line-\(index)", "productId": "\(product)", "published": true,
             "name": {"en": "Mug"}, "productType": {"typeId": "product-type", "id": "a941"},
             "variantId": 2, "quantity": 3, "addedAt": "2024-08-22T14:11:03.572Z"}
            """
        }
        return """
            {"id": "list-1", "version": \(version), "key": "mine", "name": {"en": "\(name)"},
             "lineItems": [\(lines.joined(separator: ","))], "textLineItems": [],
             "createdAt": "2024-01-01T00:00:00.001Z", "lastModifiedAt": "2024-01-07T15:25:50.034Z"}
            """
    }

    static func error(_ statusCode: Int, _ code: String, _ message: String = "It failed.") -> String
    {
        """
        {"statusCode": \(statusCode), "message": "\(message)",
         "errors": [{"code": "\(code)", "message": "\(message)"}]}
        """
    }
}
