import Foundation
import ProductKit
import Testing

/// A response in the format of a backend, with invented values, and the way to decode it.
struct BackendSample: CustomTestStringConvertible, Sendable {
    let backend: String
    let json: String
    /// The location and the expected text of the identifier.
    var id: (path: MemberPath, text: String)?
    /// Decodes the price.
    let price: @Sendable (NetworkResponse) throws -> Price?
    /// The expected amount and currency.
    let expected: String?

    var testDescription: String { backend }

    init(
        _ backend: String,
        _ json: String,
        id: (path: MemberPath, text: String)? = nil,
        expected: String?,
        price: @escaping @Sendable (NetworkResponse) throws -> Price?
    ) {
        self.backend = backend
        self.json = json
        self.id = id
        self.expected = expected
        self.price = price
    }
}

extension BackendSample {
    /// Backends whose prices are objects with a currency, which `Price` decodes.
    static let objects = [
        BackendSample(
            "commercetools",
            CommercetoolsFixtures.product("e7ba4c75-b1bb"),
            id: ("id", "e7ba4c75-b1bb"),
            expected: "12.5 EUR"
        ) { try $0.json(at: "masterVariant.prices[1].value") },
        BackendSample(
            "commercetools, more digits than the currency has",
            CommercetoolsFixtures.page(CommercetoolsFixtures.product("e7ba"), total: 1),
            id: ("results[0].id", "e7ba"),
            expected: "0.0123456 USD"
        ) { try $0.json(at: "results[0].masterVariant.prices[3].value") },
        BackendSample(
            "Saleor",
            """
            {"data": {"product": {"id": "UHJvZHVjdDo3Mg==", "name": "Juice", "pricing":
             {"priceRange": {"start": {"gross": {"amount": 5.99, "fractionalAmount": 599,
              "fractionDigits": 2, "currency": "USD"}}}}}}, "extensions": {"cost": {}}}
            """,
            id: ("data.product.id", "UHJvZHVjdDo3Mg=="),
            expected: "5.99 USD"
        ) { try $0.json(at: "data.product.pricing.priceRange.start.gross") },
        BackendSample(
            "Shopify Storefront, with edges",
            """
            {"data": {"node": {"__typename": "Product", "id": "gid://shopify/Product/42",
             "availableForSale": true, "title": "Cat", "variants": {"edges": [{"cursor": "eyJs==",
              "node": {"id": "gid://shopify/ProductVariant/7",
              "price": {"amount": "0.0", "currencyCode": "CAD"}}}]}}}}
            """,
            id: ("data.node.id", "gid://shopify/Product/42"),
            expected: "0 CAD"
        ) { try $0.json(at: "data.node.variants.edges[0].node.price") },
    ]

    /// Backends whose prices have the currency in another place, or one currency for the whole store.
    static let textsAndNumbers = [
        BackendSample(
            "Shopify Admin",
            """
            {"product": {"id": 632910392, "title": "Mug", "body_html": "<p>Mug</p>", "tags": "a, b",
             "updated_at": "2024-10-20T14:05:13-04:00", "images": [], "variants": [{"id": 8,
              "product_id": 632910392, "price": "199.00", "compare_at_price": null}]}}
            """,
            id: ("product.id", "632910392"),
            expected: "199 USD"
        ) { try Price($0.json(at: "product.variants[0].price"), currency: "USD") },
        BackendSample(
            "BigCommerce",
            """
            {"data": {"id": 174, "name": "Jar", "sku": "", "price": 7.95, "sale_price": 0,
             "option_set_id": {}, "custom_url": {"url": "/jar/"}}, "meta": {}}
            """,
            id: ("data.id", "174"),
            expected: "7.95 USD"
        ) { Price(amount: try $0.json(at: "data.price"), currency: "USD") },
        BackendSample(
            "DummyJSON",
            #"{"id": 1, "title": "Mascara", "price": 9.99, "stock": 99, "tags": ["a"]}"#,
            id: ("id", "1"),
            expected: "9.99 USD"
        ) { Price(amount: try $0.json(at: "price"), currency: "USD") },
        BackendSample(
            "FakeStoreAPI",
            #"{"id": 1, "title": "T-Shirt", "price": 109.95, "category": "clothing"}"#,
            id: ("id", "1"),
            expected: "109.95 USD"
        ) { Price(amount: try $0.json(at: "price"), currency: "USD") },
        BackendSample(
            "Google Merchant",
            """
            {"offerId": "book123", "title": "A Tale", "channel": "online",
             "price": {"value": "2.50", "currency": "USD"}}
            """,
            id: ("offerId", "book123"),
            expected: "2.5 USD"
        ) { try Price($0.json(at: "price.value"), currency: $0.json(at: "price.currency")) },
        BackendSample(
            "Magento",
            """
            {"id": 42, "sku": "WS12/XS Orange", "name": "Tee", "price": 25, "weight": 0.5,
             "custom_attributes": [{"attribute_code": "ids", "value": ["11", "12"]}]}
            """,
            id: ("sku", "WS12/XS Orange"),
            expected: "25 USD"
        ) { Price(amount: try $0.json(at: "price"), currency: "USD") },
        BackendSample(
            "Medusa",
            """
            {"product": {"id": "prod_01H", "title": "Sweatshirt", "description": null,
             "variants": [{"id": "variant_01H", "calculated_price":
              {"calculated_amount": 500, "currency_code": "eur"}}]}}
            """,
            id: ("product.id", "prod_01H"),
            expected: "500 EUR"
        ) { response in
            let price: MemberPath = "product.variants[0].calculated_price.calculated_amount"
            let code: MemberPath = "product.variants[0].calculated_price.currency_code"
            return Price(
                amount: try response.json(at: price),
                currency: try response.json(at: code)
            )
        },
        BackendSample(
            "Schema.org",
            """
            {"@context": "https://schema.org", "@type": "Product", "name": "Microwave",
             "offers": {"@type": "Offer", "price": "55.00", "priceCurrency": "USD"}}
            """,
            expected: "55 USD"
        ) { try Price($0.json(at: "offers.price"), currency: $0.json(at: "offers.priceCurrency")) },
        BackendSample(
            "Schema.org, many offers",
            """
            {"@type": "Product", "name": "Monitor", "offers": {"@type": "AggregateOffer",
             "priceCurrency": "USD", "highPrice": "1495", "lowPrice": "1250", "offers": []}}
            """,
            expected: "1250 USD"
        ) {
            try Price($0.json(at: "offers.lowPrice"), currency: $0.json(at: "offers.priceCurrency"))
        },
        BackendSample(
            "django-oscar",
            #"{"id": 1, "upc": "978", "currency": "EUR", "excl_tax": "16.80", "incl_tax": "19.99"}"#,
            id: ("id", "1"),
            expected: "19.99 EUR"
        ) { try Price($0.json(at: "incl_tax"), currency: $0.json(at: "currency")) },
        BackendSample(
            "django-oscar, not for sale",
            #"{"currency": null, "excl_tax": null, "incl_tax": null, "tax": "0.00"}"#,
            expected: nil
        ) { response in
            guard let amount = try response.json(String?.self, at: "incl_tax") else { return nil }
            return try Price(amount, currency: response.json(at: "currency"))
        },
        BackendSample(
            "pretix",
            #"{"id": 1, "name": {"de": "Band"}, "default_price": "1.99", "free_price": false}"#,
            id: ("id", "1"),
            expected: "1.99 EUR"
        ) { try Price($0.json(at: "default_price"), currency: "EUR") },
    ]

    /// Backends whose amounts count the smallest units of the currency.
    ///
    /// The JSON does not show this, so the code must specify it.
    static let minorUnits = [
        BackendSample(
            "WooCommerce",
            WooCommerceFixtures.product(794),
            id: ("id", "794"),
            expected: "12.5 EUR"
        ) { response in
            try Price(
                minorUnitText: response.json(at: "prices.price"),
                currency: response.json(at: "prices.currency_code"),
                fractionDigits: response.json(at: "prices.currency_minor_unit")
            )
        },
        BackendSample(
            "Square",
            """
            {"object": {"id": "W62UWFY3", "item_data": {"name": "Tea", "variations": [{"id": "2T",
             "item_variation_data": {"price_money": {"amount": 150, "currency": "USD"}}}]}},
             "related_objects": []}
            """,
            id: ("object.id", "W62UWFY3"),
            expected: "1.5 USD"
        ) { response in
            let money: MemberPath =
                "object.item_data.variations[0].item_variation_data.price_money"
            let fields: [String: Identifier<Price>] = try response.json(at: money)
            return Price(
                minorUnits: Int64(fields["amount"]?.rawValue ?? "") ?? 0,
                currency: fields["currency"]?.rawValue ?? ""
            )
        },
        BackendSample(
            "Stripe",
            #"{"id": "price_1Pg", "object": "price", "currency": "jpy", "unit_amount": 2000}"#,
            id: ("id", "price_1Pg"),
            expected: "2000 JPY"
        ) { response in
            let currency: String = try response.json(at: "currency")
            return Price(minorUnits: try response.json(at: "unit_amount"), currency: currency)
        },
    ]
}
