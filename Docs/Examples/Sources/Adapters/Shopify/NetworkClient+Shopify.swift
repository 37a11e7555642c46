public import Foundation
public import ProductKit

extension NetworkClient {
    /// Creates a client for Shopify's Storefront API.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of a version of the API, such as
    ///     `https://my-shop.myshopify.com/api/2025-07/graphql.json`.
    ///   - token: The public access token of the storefront, or `nil` for none.
    ///   - networking: The transport.
    ///   - behaviors: The behaviors. Each runs before the request is signed.
    public init(
        shopify baseURL: URL,
        token: String?,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = []
    ) {
        let signing = TokenBehavior(
            header: "X-Shopify-Storefront-Access-Token",
            scheme: nil
        ) { token }
        self.init(
            baseURL: baseURL,
            networking: networking,
            behaviors: behaviors + [signing],
            failure: { NetworkError($0, message: "errors") }
        )
    }
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

private struct ShopifyDocument: Encodable {
    let query: String
    let variables: ShopifyVariables
}

extension NetworkRequest where Output: Decodable {
    /// Returns a request with a GraphQL document, which throws if the response contains errors.
    static func shopify(
        _ document: String,
        _ variables: ShopifyVariables = ShopifyVariables()
    ) -> NetworkRequest {
        NetworkRequest.post()
            .json(ShopifyDocument(query: document, variables: variables))
            .failing(
                at: "errors",
                code: "extensions.code",
                codes: ["THROTTLED": .throttled, "ACCESS_DENIED": .forbidden]
            )
    }
}
