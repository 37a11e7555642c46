public import Foundation
public import ProductKit

extension NetworkClient {
    /// Creates a client for the HTTP API of commercetools.
    ///
    /// - Parameters:
    ///   - baseURL: The URL of the region with the project key, such as
    ///     `https://api.europe-west1.gcp.commercetools.com/my-project`.
    ///   - networking: The transport.
    ///   - behaviors: The behaviors. Each runs before the request is signed.
    ///   - token: A closure that returns the current access token (OAuth 2.0).
    public init(
        commercetools baseURL: URL,
        networking: any Networking = .system,
        behaviors: [any RequestBehavior] = [],
        token: @escaping @Sendable () async throws -> String?
    ) {
        self.init(
            baseURL: baseURL,
            networking: networking,
            behaviors: behaviors + [TokenBehavior(token: token)],
            failure: { response in
                NetworkError(
                    response,
                    message: "message",
                    code: "errors[0].code",
                    codes: [
                        "ConcurrentModification": .conflict,
                        "ReferencedResourceNotFound": .notFound,
                    ]
                )
            }
        )
    }
}
