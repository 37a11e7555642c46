public import Foundation
public import ProductKit

extension NetworkClient {
    /// Creates a client for WooCommerce's REST API, version 3.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the API, such as `https://shop.example/wp-json/wc/v3`.
    ///   - key: The consumer key and secret, separated by a colon, or `nil` for none.
    ///   - networking: The transport.
    ///   - behaviors: The behaviors. Each runs before the request is signed.
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
