import EmbeddedStore
import Foundation
import ProductKit
import Testing

/// Writes with an `Idempotency-Key`, as an outbox sends them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct IdempotencyKeyTests {
    @Test func `a write with a known key gets the first response and is not carried out again`()
        async throws
    {
        try await withEmbeddedStore { store, baseURL in
            let client = client(at: baseURL)
            let create = NetworkRequest(
                method: "PUT",
                segments: ["lists", "gifts"],
                headers: ["Content-Type": "application/json", "Idempotency-Key": "1"],
                body: Data(#"{"name": "Gifts"}"#.utf8)
            ) { $0 }
            let first = try await client.send(create)
            store.renameList("gifts", to: "Presents")

            let second = try await client.send(create)

            #expect(first.statusCode == 201 && second.statusCode == 201)
            #expect(first.body == second.body)
            #expect(store.lists().last?.name == "Presents")
            #expect(store.repeatedWriteCount == 1)
        }
    }

    @Test func `a key that belongs to another request is refused`() async throws {
        try await withEmbeddedStore { store, baseURL in
            let client = client(at: baseURL)
            try await client.send(favorite("enamel-mug", key: "1"))

            let error = await #expect(throws: NetworkError.self) {
                try await client.send(favorite("walking-boots", key: "1"))
            }
            #expect(error?.statusCode == 422)
            #expect(store.favorites() == ["enamel-mug"])
        }
    }

    @Test func `a write that failed can be sent again with its key`() async throws {
        try await withEmbeddedStore { store, baseURL in
            let client = client(at: baseURL)
            let request = favorite("lamp", key: "1")
            await #expect(throws: NetworkError.self) { try await client.send(request) }
            store.putProduct(StoreProduct(id: "lamp", name: "Lamp"))

            try await client.send(request)

            #expect(store.isFavorite("lamp"))
            #expect(store.repeatedWriteCount == 0)
        }
    }

    @Test func `the keys of users are independent`() async throws {
        var configuration = EmbeddedStore.Configuration()
        configuration.tokens = ["a": "anna", "b": "bert"]
        try await withEmbeddedStore(configuration) { store, baseURL in
            for token in ["a", "b"] {
                try await client(at: baseURL, token).send(favorite("enamel-mug", key: "1"))
            }

            #expect(store.isFavorite("enamel-mug", of: "anna"))
            #expect(store.isFavorite("enamel-mug", of: "bert"))
        }
    }

    private func client(
        at baseURL: URL,
        _ token: String = EmbeddedStore.demoToken
    ) -> NetworkClient {
        NetworkClient(baseURL: baseURL, behaviors: [TokenBehavior { token }])
    }

    private func favorite(_ id: String, key: String) -> NetworkRequest<Void> {
        NetworkRequest.put("favorites", id).header("Idempotency-Key", key)
    }
}
