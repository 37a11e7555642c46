public import ProductKit

extension ListManager {
    /// Creates a manager whose lists are carts, because the Storefront API has no wish lists.
    ///
    /// A cart contains variants, so adding a product adds its first available variant. The API
    /// cannot list all carts, rename one or delete one, so these operations are not supported.
    /// Shopify assigns the identifier of a new cart, and a repeated creation makes a second cart.
    /// Carts have no versions. Only the first 250 lines of a cart are loaded.
    ///
    /// - Parameter client: A client for Shopify.
    public init(shopify client: NetworkClient) {
        let lines = ListLines(
            read: { id in
                let request = NetworkRequest<ShopifyCart?>
                    .shopify(ShopifyCart.read, ShopifyVariables(cart: id))
                guard let cart = try await client.send(request.inside("data.cart")) else {
                    throw ListError.notFound(id)
                }
                return cart.contents
            },
            add: { product, contents in
                let offerRequest = NetworkRequest<ShopifyCart.Offer?>
                    .shopify(ShopifyCart.offer, ShopifyVariables(id: product))
                guard let offer = try await client.send(offerRequest.inside("data.product")),
                    let variant = offer.selectedOrFirstAvailableVariant
                else { throw ProductError.notFound(product) }
                let variables = ShopifyVariables(cart: contents.list.id, variant: variant.id)
                let request = NetworkRequest<ShopifyCart>.shopify(ShopifyCart.add, variables)
                _ = try await client.send(request.changingCart("cartLinesAdd"))
            },
            remove: { lines, contents in
                let variables = ShopifyVariables(cart: contents.list.id, lines: lines)
                let request = NetworkRequest<ShopifyCart>.shopify(ShopifyCart.remove, variables)
                _ = try await client.send(request.changingCart("cartLinesRemove"))
            }
        )
        self.init(
            addProduct: lines.add,
            removeProduct: lines.remove,
            list: lines.list,
            create: { _, name in
                let request = NetworkRequest<ShopifyCart>
                    .shopify(ShopifyCart.create, ShopifyVariables(name: name))
                return try await client.send(request.changingCart("cartCreate")).contents.list
            }
        )
    }
}

extension NetworkRequest<ShopifyCart> {
    /// Returns a request for the cart that a mutation returns.
    ///
    /// It throws if the mutation reports a user error.
    fileprivate func changingCart(_ mutation: String) -> NetworkRequest {
        inside("data.\(mutation).cart").failing(at: "data.\(mutation).userErrors", code: "code")
    }
}
