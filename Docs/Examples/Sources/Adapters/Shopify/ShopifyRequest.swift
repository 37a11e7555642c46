import ProductKit

/// The variables of a GraphQL document, by their names.
typealias ShopifyVariables = [String: (any Encodable & Sendable)?]

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
        NetworkRequest.post().json(GraphQLDocument(document, variables)).inside(path)
    }
}
