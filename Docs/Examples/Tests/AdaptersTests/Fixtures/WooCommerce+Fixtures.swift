/// Responses in the format of the REST API of WooCommerce, version 3, with invented values.
enum WooCommerceFixtures {
    static func product(_ id: Int, name: String = "Enamel Mug", price: String = "12.50") -> String {
        """
        {
          "id": \(id), "name": "\(name)", "slug": "enamel-mug", "type": "simple",
          "permalink": "https://shop.example/product/enamel-mug/",
          "date_created": "2024-03-23T17:01:14", "date_modified_gmt": "2024-03-23T20:01:14",
          "status": "publish", "description": "<p>Holds <b>400 ml</b>.</p>\\n",
          "sku": "MUG-1", "price": "\(price)", "regular_price": "\(price)", "sale_price": "",
          "date_on_sale_from": null, "on_sale": false, "purchasable": true, "downloads": [],
          "manage_stock": false, "stock_quantity": null, "stock_status": "instock",
          "dimensions": {"length": "", "width": "", "height": ""}, "related_ids": [5, 6],
          "categories": [{"id": 9, "name": "Kitchen", "slug": "kitchen"}],
          "images": [{"id": 7, "src": "https://shop.example/mug.jpg", "name": "", "alt": ""}],
          "meta_data": [], "_links": {"self": [{"href": "https://shop.example/x"}]}
        }
        """
    }

    static let missing = """
        {"code": "woocommerce_rest_product_invalid_id", "message": "Invalid ID.", "data": {"status": 404}}
        """

    static let noRoute = """
        {"code": "rest_no_route", "message": "No route was found.", "data": {"status": 404}}
        """
}
