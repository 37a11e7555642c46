/// Responses in the format of WooCommerce's Store API, version 1, with invented values.
enum WooCommerceFixtures {
    static func product(_ id: Int, name: String = "Enamel Mug", price: String = "1250") -> String {
        """
        {
          "id": \(id), "name": "\(name)", "slug": "enamel-mug", "type": "simple", "parent": 0,
          "permalink": "https://shop.example/product/enamel-mug/", "sku": "MUG-1",
          "description": "<p>Holds <b>400 ml</b>.</p>\\n", "short_description": "",
          "on_sale": false, "average_rating": "0", "review_count": 0, "is_purchasable": true,
          "is_in_stock": true, "has_options": false, "variations": [], "extensions": {},
          "prices": {
            "price": "\(price)", "regular_price": "\(price)", "sale_price": "\(price)",
            "price_range": null, "currency_code": "EUR", "currency_symbol": "€",
            "currency_minor_unit": 2, "currency_decimal_separator": ","
          },
          "images": [{"id": 7, "src": "https://shop.example/mug.jpg", "name": "", "alt": ""}],
          "categories": [{"id": 9, "name": "Kitchen", "slug": "kitchen"}]
        }
        """
    }

    static let missing = """
        {"code": "woocommerce_rest_product_invalid_id", "message": "Invalid product ID.", "data": {"status": 404}}
        """

    static let missingItem = """
        {"code": "woocommerce_rest_shopper_list_item_not_found", "data": {"status": 404},
         "message": "That item isn&#039;t in your saved list anymore."}
        """

    static let expiredToken = """
        {"code": "jwt_auth_invalid_token", "message": "Expired token", "data": {"status": 403}}
        """

    static let noRoute = """
        {"code": "rest_no_route", "message": "No route was found.", "data": {"status": 404}}
        """
}
