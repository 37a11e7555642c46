public import Foundation
public import ProductKit

extension NetworkClient {
    /// Creates a client for the HTTP API of commercetools.
    ///
    /// - Parameters:
    ///   - baseURL: The region's address with the project's key behind it, such as
    ///     `https://api.europe-west1.gcp.commercetools.com/my-project`.
    ///   - networking: What carries the requests.
    ///   - behaviors: What happens around every request, outside of signing it.
    ///   - token: The access token (OAuth 2.0) to use now.
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
