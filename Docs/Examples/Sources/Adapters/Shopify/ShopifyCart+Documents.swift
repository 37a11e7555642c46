extension ShopifyCart {
    static let read = "query($cart: ID!) { cart(id: $cart) { ...Fields } } \(fields)"

    static let offer =
        "query($id: ID!) { product(id: $id) { selectedOrFirstAvailableVariant { id } } }"

    static let add = """
        mutation($cart: ID!, $variant: ID!) {
          cartLinesAdd(cartId: $cart, lines: [{ merchandiseId: $variant }]) {
            cart { ...Fields } userErrors { code message }
          }
        }
        \(fields)
        """

    static let remove = """
        mutation($cart: ID!, $lines: [ID!]!) {
          cartLinesRemove(cartId: $cart, lineIds: $lines) {
            cart { ...Fields } userErrors { code message }
          }
        }
        \(fields)
        """

    static let create = """
        mutation($name: String!) {
          cartCreate(input: { attributes: [{ key: "name", value: $name }] }) {
            cart { ...Fields } userErrors { code message }
          }
        }
        \(fields)
        """

    static let rename = """
        mutation($cart: ID!, $name: String!) {
          cartAttributesUpdate(cartId: $cart, attributes: [{ key: "name", value: $name }]) {
            cart { ...Fields } userErrors { code message }
          }
        }
        \(fields)
        """

    private static let fields = """
        fragment Fields on Cart {
          id updatedAt attribute(key: "name") { value }
          lines(first: 250) {
            nodes { id merchandise { ... on ProductVariant { product { id } } } }
          }
        }
        """
}
