import Foundation
import ProductKit
import Testing

/// Writes whose output is `nil`, and reads before a write.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MissingOutputTests {
    // Rule: errors/missing-output-is-not-found (13)
    @Test(arguments: [422, 200, 404])
    func `a failure in place of which a write returns no output refuses the change`(
        statusCode: Int
    ) async throws {
        let client = NetworkClient(
            baseURL: .api,
            networking: .closure { _ in
                .json(
                    #"{"error": {"code": "gone", "message": "Sold yesterday."}}"#,
                    statusCode: statusCode
                )
            },
            failure: { NetworkError($0, message: "error.message", code: "error.code") }
        )
        let request = NetworkRequest<Product?>.post("products")
            .failing(at: "error", message: "message", code: "code")
            .returning(nil, forProblem: "gone")
            .unwrapped()

        let error = await #expect(throws: NetworkError.self) { try await client.send(request) }

        #expect(error?.code == .notFound && error?.statusCode == statusCode)
        #expect(error?.localizedDescription == "Sold yesterday.")
        #expect(error.map { Outbox.Disposition($0) } == .rejected)
        let lists = ListManager.only(
            removeProduct: { _, _ in try await client.send(request.map { _, _ in }) },
            rename: { id, name, _ in
                try await client.send(request.map { _, _ in ProductList(id: id, name: name) })
            },
            delete: { _ in try await client.send(request.map { _, _ in }) }
        )
        await expectNetworkError(.notFound) {
            try await lists.removeProduct(withID: "boots", fromListWithID: "camp")
        }
        await expectNetworkError(.notFound) { try await lists.deleteList(withID: "camp") }
        await expectNetworkError(.notFound) { try await lists.renameList(withID: "camp", to: "A") }
        for contents in [[], [ListLines.Line(product: "boots")]] {
            let change: @Sendable () async throws -> Void = {
                try await client.send(request.map { _, _ in })
            }
            let lines = ListLines(
                read: { ListLines.Contents(id: $0, name: "Camp", lines: contents) },
                add: { _, _ in try await change() },
                remove: { _, _ in try await change() }
            )
            let error = await #expect(throws: NetworkError.self) {
                if contents.isEmpty {
                    try await lines.add("boots", to: "camp")
                } else {
                    try await lines.remove("boots", from: "camp")
                }
            }
            #expect(error?.localizedDescription == "Sold yesterday.")
            #expect(error.map { Outbox.Disposition($0) } == .rejected)
        }
    }

    // Rule: errors/manager-interprets-not-found (14)
    @Test(arguments: [(true, NetworkError.Code.unexpected), (false, .unreachable)])
    func `a removal that finds nothing to read before its write is sent again later`(
        canReload: Bool,
        code: NetworkError.Code
    ) async {
        let reads = Counter()
        let client = NetworkClient(baseURL: .api, networking: .closure { _ in .json("null") })
        let lines = ListLines(
            read: { id in
                guard reads.next() == 1 || canReload else { throw NetworkError(.unreachable) }
                return ListLines.Contents(
                    id: id,
                    name: "Camp",
                    lines: [ListLines.Line(product: "boots")]
                )
            },
            add: { _, _ in },
            remove: { _, _ in
                _ = try await client.send(NetworkRequest<Product?>.get("rows").unwrapped())
            }
        )

        let error = await #expect(throws: NetworkError.self) {
            try await lines.remove("boots", from: "wishlist")
        }

        #expect(error?.code == code)
        let disposition = error.map { Outbox.Disposition($0) }
        #expect(disposition == (canReload ? .retryLater : .retryAllLater()))
    }
}
