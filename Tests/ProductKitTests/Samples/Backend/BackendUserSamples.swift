import Foundation
import ProductKit
import Testing

/// Code of the articles about other backends for tokens that responses renew, and for users in paths.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BackendUserSamples {
    @Test func `rotating tokens and users in paths`() async throws {
        let received = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                received.add("\(request.line) \(request.value(forHTTPHeaderField: "Nonce") ?? "-")")
                return .json("[]", headers: ["Nonce": "n\(received.all.count)"])
            }
        )
        let backend = ProductBackend(
            client: client,
            rotatingToken: { _ in RotatingTokenBehavior(header: "Nonce") },
            loader: { client in ProductLoader(bazaar: client) },
            listManager: { client in ListManager(bazaar: client) }
        )
        #expect(backend.description.contains("api.example.com"))
        let byUser = ProductBackend(
            client: client,
            rotatingToken: { _ in RotatingTokenBehavior(header: "Nonce") },
            loader: { client in ProductLoader(bazaar: client) },
            listManager: { client in
                let lists: @Sendable (PageCursor?) async throws -> Page<ProductList> = { _ in
                    try await client.send(.get("wishlists", "by_user", client.signedInUserID))
                }
                return ListManager(addProduct: { _, _ in }, lists: lists)
            }
        )
        func service(of user: ServiceUser) -> ProductService {
            ProductService(backend: byUser, localUser: .shopper, user: user)
        }

        let anna = service(of: .signedIn("7"))
        for _ in 1...2 { _ = try await anna.listManager.lists() }
        await #expect(throws: NetworkError.self) {
            _ = try await service(of: .guest).listManager.lists()
        }

        let path = "GET https://api.example.com/v1/wishlists/by_user/7"
        #expect(received.all == ["\(path) -", "\(path) n1"])
    }

    @Test func `a rotating token in the body`() async throws {
        let received = Lines()
        let transport: any Networking = .closure { request in
            received.add(request.value(forHTTPHeaderField: "X-CSRF-TOKEN") ?? "-")
            let count = received.all.count
            return .json(
                #"{"meta": {"csrf": {"value": "c\#(count)"}}}"#,
                statusCode: count == 1 ? 403 : 200
            )
        }
        let networking: any Networking = .closure { request in
            var response = try await transport.response(for: request)
            let token = try? response.json(String.self, at: "meta.csrf.value")
            response.headers["X-CSRF-TOKEN"] = token
            return response
        }
        let client = NetworkClient(
            baseURL: .api,
            networking: networking,
            behaviors: [RotatingTokenBehavior(header: "X-CSRF-TOKEN")]
        )

        for id in ["7", "8"] { try await client.send(.delete("items", id)) }

        #expect(received.all == ["-", "c1", "c2"])
    }

    @Test func `a server without a 401`() async throws {
        let received = Lines()
        let isAccepted: @Sendable (String) async throws -> Bool = { $0 == "Bearer new" }
        let transport: any Networking = .closure { request in
            received.add(request.httpMethod ?? "")
            let isSignedIn = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            guard isSignedIn, request.url?.lastPathComponent != "9" else {
                return NetworkResponse(statusCode: 404)
            }
            return .json(#"{"good": {"sku": 4711, "label": "Iron Pan"}}"#)
        }
        let networking: any Networking = .closure { request in
            let response = try await transport.response(for: request)
            guard [403, 404].contains(response.statusCode),
                let credentials = request.value(forHTTPHeaderField: "Authorization"),
                try await !isAccepted(credentials)
            else { return response }
            return NetworkResponse(statusCode: 401)
        }
        let backend = ProductBackend(
            client: NetworkClient(baseURL: .api, networking: networking),
            loader: { client in ProductLoader(bazaar: client) },
            listManager: { client in ListManager(bazaar: client) }
        )
        func service(_ token: AccessToken) -> ProductService {
            let anna = ServiceUser.signedIn("anna", token: { token }, refresh: { _ in "new" })
            return ProductService(backend: backend, localUser: .shopper, user: anna)
        }

        #expect(try await service("old").loader.loadProduct(withID: "4711").name == "Iron Pan")
        try await service("old").listManager.deleteList(withID: "7")
        #expect(received.all == ["GET", "GET", "DELETE", "DELETE"])
        await #expect(throws: ProductError.notFound("9")) {
            try await service("new").loader.loadProduct(withID: "9")
        }
        #expect(received.all.count == 5)
    }

    @Test func `header fields of the user`() async throws {
        let received = Lines()
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { request in
                let names = ["X-Currency", "X-Locale"]
                received.add(
                    names.compactMap(request.value(forHTTPHeaderField:)).joined(separator: " ")
                )
                return .json("[]")
            }
        )
        let backend = ProductBackend(
            client: client,
            headers: { client in ["X-Currency": client.currency, "X-Locale": client.language] },
            loader: { client in ProductLoader(bazaar: client) },
            listManager: { client in ListManager(bazaar: client) }
        )
        let anna = ProductService(backend: backend, localUser: .shopper, user: .signedIn("7"))

        _ = try? await anna.loader.loadProduct(withID: "pan")

        #expect(received.all == ["EUR en-US"])
    }

    // Rule: requests/client-names-the-user (15)
    @Test(arguments: [(ServiceUser.guest, nil), (.signedIn("ann a"), "ann a")])
    func `the client of a service has the identifier, the currency and the language of its user`(
        user: ServiceUser,
        id: String?
    ) async throws {
        let ids = Lines()
        let backend = ProductBackend(
            client: NetworkClient(baseURL: .api),
            loader: { client in
                ids.add("\(client.userID ?? "none") \(client.currency ?? "none")")
                ids.add("\(client.language ?? "none") \(client.languageCode ?? "none")")
                ids.add((try? client.signedInUserID) ?? "an error")
                return .only()
            },
            listManager: { _ in .only() }
        )

        _ = ProductService(backend: backend, localUser: .shopper, user: user)

        #expect(ids.all == ["\(id ?? "none") EUR", "en-US en", id ?? "an error"])
        let client = NetworkClient(baseURL: .api)
        #expect(client.userID == nil && client.currency == nil && client.languageCode == nil)
        let error = #expect(throws: NetworkError.self) { try client.signedInUserID }
        #expect(error?.code == .unauthorized)
    }
}
