import Foundation
import ProductKit
import Synchronization
import Testing

/// The article “Signing in and out”.
@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct SigningInSamples {
    private let received = Lines()
    private let keychain = Lines()

    @Test func `an account signs in, refreshes its token, and signs out`() async throws {
        let account = account(login: nil)
        #expect(account.service.userID == nil)

        try await signIn("anna@example.com", "secret", to: account, backend)
        #expect(account.service.userID == "7")
        _ = try await account.service.loader.loadProduct(withID: "pan")
        await signOut(of: account, backend)

        #expect(account.service.userID == nil)
        #expect(
            received.all == [
                "login: no token", "pan: Bearer t1", "refresh: no token", "pan: Bearer t2",
                "logout: Token t2",
            ]
        )
        #expect(keychain.all == ["t1", "t2", "none"])
    }

    @Test func `a second token`() {
        let login = (token: "t1", secondToken: "s1")
        func token() -> AccessToken {
            var token = AccessToken(login.token)
            token.headers = ["saas-token": login.secondToken]
            return token
        }

        #expect(token().headers["saas-token"] == "s1")
    }

    private var client: NetworkClient {
        NetworkClient(
            baseURL: .api,
            networking: .closure { [received] request in
                let token = request.value(forHTTPHeaderField: "Authorization") ?? "no token"
                received.add("\(request.url?.lastPathComponent ?? ""): \(token)")
                switch request.url?.lastPathComponent {
                case "login": return .json(#"{"customer": "7", "token": "t1"}"#)
                case "refresh" where request.httpBody == Data(#"{"token":"t1"}"#.utf8):
                    return .json(#"{"customer": "7", "token": "t2"}"#)
                case _ where token == "Bearer t2": return .json(#"{"id": "pan", "name": "Pan"}"#)
                default: return NetworkResponse(statusCode: 401)
                }
            }
        )
    }

    private var backend: ProductBackend {
        ProductBackend(
            client: client,
            loader: { client in
                ProductLoader(load: { id in try await client.send(.get("goods", id)) })
            },
            listManager: { _ in .only() }
        )
    }

    private func account(login: Login?) -> ProductAccount<Login> {
        let stored = Mutex(login)
        return makeAccount(backend: backend) {
            stored.withLock(\.self)
        } store: { [keychain] login in
            stored.withLock { $0 = login }
            keychain.add(login?.token ?? "none")
        }
    }

    @Test func `a guest with a token`() async throws {
        let guestLogin: Login? = nil
        let client = NetworkClient { request in
            request.token == "g"
                ? .json(#"{"id": "pan", "name": "Pan"}"#)
                : .json(#"{"customer": "", "token": "g"}"#)
        }
        let storeGuestLogin: @Sendable (Login) -> Void = { [keychain] in keychain.add($0.token) }
        let guest = ServiceUser.guest(
            with: guestLogin,
            token: { login in AccessToken(login.token) },
            refresh: { login in
                try await client.send(
                    NetworkRequest<Login>.post("guests").json(["token": login?.token])
                )
            },
            onChange: storeGuestLogin
        )
        let backend = ProductBackend(
            client: client,
            loader: { client in
                ProductLoader(load: { id in try await client.send(.get("goods", id)) })
            },
            listManager: { _ in .only() }
        )
        let service = ProductService(backend: backend, localUser: .shopper, user: guest)

        #expect(try await service.loader.loadProduct(withID: "pan").name == "Pan")
        #expect(keychain.all == ["g"])
    }

    @Test func `a rejected token with another status code than 401`() async throws {
        let api = URL.api
        let networking: some Networking = .closure { _ in
            .json(#"{"errors": [{"code": "SESSION_EXPIRED"}]}"#, statusCode: 403)
        }
        let client = NetworkClient(
            baseURL: api,
            networking: networking,
            statusCode: { response in
                guard response.statusCode == 403 else { return nil }
                let code = try? response.json(String.self, at: "errors[0].code")
                return code == "SESSION_EXPIRED" ? 401 : nil
            }
        )

        await expectNetworkError(.unauthorized) {
            try await client.send(NetworkRequest<NetworkResponse>.get("basket"))
        }
    }
}
