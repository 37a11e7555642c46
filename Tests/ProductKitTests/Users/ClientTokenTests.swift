import Foundation
import ProductKit
import Synchronization
import Testing

/// Services over a client that has a token behavior of its own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ClientTokenTests {
    /// The tokens of the requests; empty for an unsigned one.
    private let sent = Lines()

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
        let service = backend(signedBy: TokenBehavior(token: { token }, refresh: nil))
            .service(of: user)

        let load = await Task { try await service.loadBoots() }.result

        #expect(sent.all == requests)
        if requests.isEmpty { #expect(throws: TokenError.sessionEnded) { try load.get() } }
    }

    // Rule: tokens/refresh-is-not-signed (6)
    @Test func `a refresh may send requests as a guest of the same client`() async throws {
        let guest = Mutex<ProductService?>(nil)
        let token = Mutex(AccessToken("old", expiry: .distantPast, user: "ann"))
        let tokens = TokenBehavior(
            token: { token.withLock(\.self) },
            refresh: { _ in
                try await guest.withLock(\.self)?.loadBoots()
                let new = AccessToken("new", user: "ann")
                token.withLock { $0 = new }
                return new
            }
        )
        let backend = backend(signedBy: tokens)
        guest.withLock { $0 = backend.service(of: .guest) }

        try await backend.service(of: .signedIn("ann")).loadBoots()

        #expect(sent.all == ["", "new"])
    }

    private func backend(signedBy tokens: TokenBehavior) -> ProductBackend {
        .contract(
            client: NetworkClient(
                baseURL: .api,
                networking: .closure { [sent] request in
                    sent.add(request.token ?? "")
                    return try .boots(to: request)
                },
                behaviors: [tokens]
            )
        )
    }
}
