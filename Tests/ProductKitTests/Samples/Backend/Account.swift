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

nonisolated extension NetworkClient {
    func login(email: String, password: String) async throws -> Login {
        try await send(
            NetworkRequest<Login>.post("login").json(["email": email, "password": password])
        )
    }

    func logout(_ login: Login) async throws {
        try await send(
            NetworkRequest<Void>.post("logout").header("Authorization", "Token \(login.token)")
        )
    }
}

@MainActor func makeAccount(
    backend: ProductBackend,
    outbox: Outbox? = nil,
    load: @escaping () -> Login?,
    store: @escaping @Sendable (Login?) -> Void
) -> ProductAccount<Login> {
    let account = ProductAccount(load: load, store: store) { login in
        ProductService(
            backend: backend,
            localUser: LocalUser(currency: "EUR"),
            user: login.map { .bazaar($0, client: backend.client, onChange: store) } ?? .guest,
            outbox: login == nil ? nil : outbox
        )
    }
    return account
}

@MainActor func signIn(
    _ email: String,
    _ password: String,
    to account: ProductAccount<Login>,
    _ backend: ProductBackend
) async throws {
    let login = try await backend.client.login(email: email, password: password)
    await account.signIn(with: login)
}

@MainActor func signOut(of account: ProductAccount<Login>, _ backend: ProductBackend) async {
    if let login = await account.signOut() { try? await backend.client.logout(login) }
}
