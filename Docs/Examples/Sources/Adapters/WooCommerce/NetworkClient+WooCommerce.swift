public import Foundation
public import ProductKit

extension NetworkClient {
    /// Creates a client for WooCommerce's REST API, version 3.
    ///
    /// - Parameters:
    ///   - baseURL: Where it lives, such as `https://shop.example/wp-json/wc/v3`.
    ///   - key: The consumer key and secret, with a colon between them; `nil` for none.
    ///   - networking: What carries the requests.
    ///   - behaviors: What happens around every request, outside of signing it.
    public init(
        wooCommerce baseURL: URL,
        key: String?,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = []
    ) {
        let signing = TokenBehavior(scheme: "Basic") {
            key.map { Data($0.utf8).base64EncodedString() }
        }
        self.init(
            baseURL: baseURL,
            networking: networking,
            behaviors: behaviors + [signing],
            failure: { response in
                NetworkError(
                    response,
                    message: "message",
                    code: "code",
                    codes: ["rest_no_route": .unexpected]
                )
            }
        )
    }
}
