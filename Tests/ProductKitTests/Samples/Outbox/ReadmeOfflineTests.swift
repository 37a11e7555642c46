import Foundation
import ProductKit
import Synchronization
import Testing

/// The service of the README, with its cache and its outbox, offline and after a restart.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReadmeOfflineTests {
    // Rule: outbox/every-user-has-an-outbox (62)
    @MainActor @Test(arguments: [true, false])
    func `a tap that is made offline survives a restart`(isSignedIn: Bool) async throws {
        let api = try #require(URL(string: "https://api.example.com/v1"))
        let (euros, token) = (LocalUser(currency: "EUR"), "demo-token")
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let edits = folder.appending(path: "edits")
        defer { try? FileManager.default.removeItem(at: folder) }
        let isOnline = Mutex(true)
        let isFavorite = Mutex(false)
        let networking = ClosureNetworking.closure { request in
            guard isOnline.withLock(\.self) else { throw NetworkError(.unreachable) }
            if request.httpMethod == "PUT" { isFavorite.withLock { $0 = true } }
            return try NetworkResponse(
                json: Product(
                    id: "walking-boots",
                    name: "Walking Boots",
                    isFavorite: isFavorite.withLock(\.self)
                )
            )
        }
        func run(_ body: (ProductService) async throws -> Void) async throws {
            let cache = ResponseCache(directory: folder)
            let service = ProductService(
                baseURL: api,
                localUser: euros,
                user: isSignedIn ? .signedIn("anna") { token } : .guest,
                networking: networking,
                cache: cache,
                outbox: Outbox(directory: edits)
            )
            try await body(service)
            cache.flush()
            await service.outbox?.stop()
        }

        try await run { service in
            let screen = try await service.viewModel(forProductWithID: "walking-boots")
            isOnline.withLock { $0 = false }
            try await screen.toggleProductFavoriteStatus()
            #expect(screen.isFavorite && screen.isFavoriteUnsent)
        }
        try await run { service in
            let screen = try await service.viewModel(
                forProductWithID: "walking-boots",
                policy: .cacheFirst
            )
            #expect(screen.title == "Walking Boots")
            #expect(screen.isFavorite && screen.isFavoriteUnsent)
            isOnline.withLock { $0 = true }
            try await service.outbox?.sendAll()
            #expect(screen.isFavorite && !screen.isFavoriteUnsent)
        }
        #expect(isFavorite.withLock(\.self) == true)
    }
}
