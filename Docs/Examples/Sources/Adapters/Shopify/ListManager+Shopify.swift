import ProductKit

extension ListManager {
    /// Creates a manager whose lists are carts.
    init(shopify client: NetworkClient) {
        let lines = ListLines(
            read: { id in
                let request = NetworkRequest<ShopifyCart?>
                    .query(ShopifyCart.read, ["cart": id], at: "data.cart")
                return try await client.send(request.unwrapped()).contents
            },
            add: { product, contents in
                let offer = NetworkRequest<ShopifyCart.Offer?>
                    .query(ShopifyCart.offer, ["id": product], at: "data.product")
                    .map { offer, _ in offer?.selectedOrFirstAvailableVariant }
                    .unwrapped()
                    .throwing(ProductError.notFound(product), for: .notFound)
                let variant = try await client.send(offer)
                let variables: ShopifyVariables = ["cart": contents.list.id, "variant": variant.id]
                _ = try await client.send(.mutation("cartLinesAdd", ShopifyCart.add, variables))
            },
            remove: { lines, contents in
                let variables: ShopifyVariables = ["cart": contents.list.id, "lines": lines]
                _ = try await client.send(
                    .mutation("cartLinesRemove", ShopifyCart.remove, variables)
                )
            }
        )
        self.init(
            lines: lines,
            create: { _, name in
                let variables: ShopifyVariables = ["name": name]
                return try await client.send(.mutation("cartCreate", ShopifyCart.create, variables))
                    .contents.list
            },
            rename: { id, name, _ in
                // The mutation does not show whether the cart is missing.
                _ = try await lines.list(id)
                let variables: ShopifyVariables = ["cart": id, "name": name]
                return try await client.send(
                    .mutation("cartAttributesUpdate", ShopifyCart.rename, variables)
                ).contents.list
            }
        )
    }

    /// Creates a manager for a single cart, which has a name that the app chose.
    init(shopify client: NetworkClient, cart: ProductList.ID, named name: String) {
        let carts = ListManager(shopify: client)
        self.init(
            addProduct: { try await carts.addProduct(withID: $0, toListWithID: $1) },
            removeProduct: { try await carts.removeProduct(withID: $0, fromListWithID: $1) },
            lists: { _ in
                let request = NetworkRequest<ShopifyCart?>
                    .query(ShopifyCart.read, ["cart": cart], at: "data.cart")
                guard var list = try await client.send(request)?.contents.list else {
                    return Page([])
                }
                list.name = name
                return Page([list])
            }
        )
    }
}
