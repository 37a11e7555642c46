import Foundation
import ProductKit
import Synchronization
import Testing

/// Services over a client that has a token behavior of its own.
@Suite(.serialized, .timeLimit(.minutes(5))) final class ClientTokenTests: Sendable {
    /// The tokens of the requests; empty for an unsigned one.
    private let sent = Mutex<[String]>([])

    // Rule: security/request-belongs-to-one-user (33)
    @Test(
        arguments: [
            (.signedIn("ann"), "ann", ["ann"]), (.signedIn("bob"), "ann", []), (.guest, "ann", []),
            (.signedIn("ann"), nil, []), (.guest, nil, [""]),
            (.guest, "", []), (.signedIn("ann"), "", ["of any user"]),
        ] as [(ServiceUser, String?, [String])]
    )
    func `a token behavior of the client signs only for the user of the service`(
        user: ServiceUser,
        owner: String?,
        requests: [String]
    ) async throws {
        let token = owner.map { owner in
            owner.isEmpty ? AccessToken("of any user") : AccessToken(owner, user: owner)
        }
        let backend = backend(signedBy: TokenBehavior(token: { token }, refresh: nil))
        let service = ProductService(backend: backend, localUser: .shopper, user: user)

        let load = await Task { try await service.loader.loadProduct(withID: "walking-boots") }
            .result

        #expect(sent.withLock(\.self) == requests)
        if requests.isEmpty { #expect(throws: TokenError.sessionEnded) { try load.get() } }
    }

    // Rule: tokens/refresh-is-not-signed (6)
    @Test func `a refresh may send requests as a guest of the same client`() async throws {
        let guest = Mutex<ProductService?>(nil)
        let token = Mutex(AccessToken("old", expiry: .distantPast, user: "ann"))
        let tokens = TokenBehavior(
            token: { token.withLock(\.self) },
            refresh: { _ in
                _ = try await guest.withLock(\.self)?.loader.loadProduct(withID: "walking-boots")
                let new = AccessToken("new", user: "ann")
                token.withLock { $0 = new }
                return new
            }
        )
        let backend = backend(signedBy: tokens)
        func service(of user: ServiceUser) -> ProductService {
            ProductService(backend: backend, localUser: .shopper, user: user)
        }
        guest.withLock { $0 = service(of: .guest) }

        _ = try await service(of: .signedIn("ann")).loader.loadProduct(withID: "walking-boots")

        #expect(sent.withLock(\.self) == ["", "new"])
    }

    private func backend(signedBy tokens: TokenBehavior) -> ProductBackend {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { [self] request in
                sent.withLock { $0.append(request.token ?? "") }
                return try .boots(to: request)
            },
            behaviors: [tokens]
        )
        return ProductBackend(
            client: client,
            loader: { ProductLoader(client: $0) },
            listManager: { ListManager(client: $0) }
        )
    }
}
