import ProductKit

/// A GraphQL document with its variables.
private struct ShopifyDocument: Encodable {
    let query: String
    let variables: ShopifyVariables
}

/// The variables of a GraphQL document.
///
/// Those that are `nil` are not sent.
struct ShopifyVariables: Encodable {
    var id: Product.ID?
    var ids: [Product.ID]?
    var query: String?
    var first: Int?
    var after: String?
    var cart: ProductList.ID?
    var variant: String?
    var lines: [Identifier<ListLines.Line>]?
    var name: String?
}

extension NetworkRequest where Output: Decodable {
    /// Returns a request that only reads, for the value at a path of the response.
    static func query(
        _ document: String,
        _ variables: ShopifyVariables,
        at path: MemberPath = []
    ) -> NetworkRequest {
        shopify(document, variables, at: path).reading()
    }

    /// Returns a request for the cart that a mutation returns, which throws if the mutation reports
    /// a user error.
    static func mutation(
        _ name: String,
        _ document: String,
        _ variables: ShopifyVariables
    ) -> NetworkRequest where Output == ShopifyCart {
        shopify(document, variables, at: "data.\(name).cart")
            .failing(at: "data.\(name).userErrors", code: "code")
    }

    private static func shopify(
        _ document: String,
        _ variables: ShopifyVariables,
        at path: MemberPath
    ) -> NetworkRequest {
        NetworkRequest.post()
            .json(ShopifyDocument(query: document, variables: variables))
            .inside(path)
            .failing(
                at: "errors",
                code: "extensions.code",
                codes: ["THROTTLED": .throttled, "ACCESS_DENIED": .forbidden]
            )
    }
}
