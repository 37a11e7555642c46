import Observation
import ProductKit

// The types of “Signing in and out”. As those of Bazaar.swift, they are also compiled in a module whose default
// isolation is the main actor.

nonisolated struct Login: Codable {
    let customer: String
    let token: String
}

nonisolated extension ServiceUser {
    static func bazaar(
        _ login: Login,
        client: NetworkClient,
        onChange: @escaping @Sendable (Login) -> Void
    ) -> ServiceUser {
        .signedIn(
            login.customer,
            with: login,
            token: { login in AccessToken(login.token) },
            refresh: { login in
                let request = NetworkRequest<Login>.post("refresh").json(["token": login.token])
                    .throwing(TokenError.sessionEnded, for: .unauthorized)
                return try await client.send(request)
            },
            onChange: onChange
        )
    }
}

@MainActor @Observable final class Account {
    private(set) var service: ProductService

    private let client: NetworkClient
    private let load: @Sendable () -> Login?
    private let store: @Sendable (Login?) -> Void
    private let makeService: (Login?) -> ProductService

    init(
        client: NetworkClient,
        backend: ProductBackend,
        outbox: Outbox? = nil,
        load: @escaping @Sendable () -> Login?,
        store: @escaping @Sendable (Login?) -> Void
    ) {
        let makeService = { (login: Login?) in
            ProductService(
                backend: backend,
                localUser: LocalUser(currency: "EUR"),
                user: login.map { .bazaar($0, client: client, onChange: store) } ?? .guest,
                outbox: login == nil ? nil : outbox
            )
        }
        self.client = client
        self.load = load
        self.store = store
        self.makeService = makeService
        service = makeService(load())
    }

    func signIn(email: String, password: String) async throws {
        let request = NetworkRequest<Login>.post("login")
            .json(["email": email, "password": password])
        let login = try await client.send(request)
        if service.userID != nil { await service.signOut(keepsUnsentChanges: true) }
        store(login)
        service = makeService(login)
    }

    func signOut() async {
        await service.signOut()
        let login = load()
        store(nil)
        service = makeService(nil)
        guard let login else { return }
        let logout = NetworkRequest<Void>.post("logout")
            .header("Authorization", "Token \(login.token)")
        try? await client.send(logout)
    }
}
