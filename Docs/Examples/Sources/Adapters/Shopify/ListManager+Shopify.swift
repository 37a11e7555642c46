public import ProductKit

extension ListManager {
    /// Creates a manager whose lists are carts: the Storefront API has no wish lists.
    ///
    /// What a cart holds are variants, so adding a product adds its first one that can be bought.
    /// Nobody can ask for all carts, so `lists` is left out, and so are renaming and deleting. The
    /// identity of a new cart is Shopify's: keep it, and know that creating twice makes two carts.
    /// Carts have no versions, and their first 250 lines are read.
    ///
    /// - Parameter client: A client made for Shopify.
    public init(shopify client: NetworkClient) {
        let lines = ListLines(
            read: { id in
                let request = try NetworkRequest<ShopifyCart?>
                    .shopify(ShopifyCart.read, ShopifyVariables(cart: id))
                guard let cart = try await client.send(request.inside("data.cart")) else {
                    throw ListError.notFound(id)
                }
                return cart.contents
            },
            add: { product, contents in
                let question = try NetworkRequest<ShopifyCart.Offer?>
                    .shopify(ShopifyCart.offer, ShopifyVariables(id: product))
                guard let offer = try await client.send(question.inside("data.product")),
                    let variant = offer.selectedOrFirstAvailableVariant
                else { throw ProductError.notFound(product) }
                let variables = ShopifyVariables(cart: contents.list.id, variant: variant.id)
                let request = try NetworkRequest<ShopifyCart>.shopify(ShopifyCart.add, variables)
                _ = try await client.send(request.changingCart("cartLinesAdd"))
            },
            remove: { lines, contents in
                let variables = ShopifyVariables(cart: contents.list.id, lines: lines)
                let request = try NetworkRequest<ShopifyCart>.shopify(ShopifyCart.remove, variables)
                _ = try await client.send(request.changingCart("cartLinesRemove"))
            }
        )
        self.init(
            addProduct: lines.add,
            removeProduct: lines.remove,
            list: lines.list,
            create: { _, name in
                let request = try NetworkRequest<ShopifyCart>
                    .shopify(ShopifyCart.create, ShopifyVariables(name: name))
                return try await client.send(request.changingCart("cartCreate")).contents.list
            }
        )
    }
}

extension NetworkRequest<ShopifyCart> {
    /// The cart that a mutation answers with, unless it tells what the user did wrong.
    fileprivate func changingCart(_ mutation: String) -> NetworkRequest {
        inside("data.\(mutation).cart").failing(at: "data.\(mutation).userErrors", code: "code")
    }
}
