import Foundation
import ProductKit
import Testing

/// Calls of operations of services, and requests, that a test did not provide.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnimplementedServiceTests {
    private let reported = Lines()

    // Rule: screen/missing-action-throws (6); screen/missing-action-is-reported (7)
    @Test func `each missing operation throws its name and is reported once`() async throws {
        let line: UInt = #line + 1
        let loader = ProductLoader.only(otherwise: { [reported] in reported.add($0.name) })
        let lists = ListManager.only(otherwise: { [reported] in reported.add($0.name) })

        for (name, call) in loader.everyOperation {
            let error = try await thrown(call)
            #expect(error.name == name)
            #expect(error.localizedDescription.contains("UnimplementedServiceTests.swift:\(line)."))
        }
        for (name, call) in lists.everyOperation {
            #expect(try await thrown(call).name == name)
        }

        #expect(
            reported.all == loader.everyOperation.map(\.name) + lists.everyOperation.map(\.name)
        )
    }

    // Rule: screen/missing-action-throws (6)
    @Test func `the provided operations are called`() async throws {
        let (boots, camp, lines) = (Product.boots, ProductList(id: "1", name: "Camp"), Lines())
        let loader = ProductLoader.only(
            load: { _ in boots },
            search: { _, _ in Page([boots]) },
            favorites: { _ in Page([boots]) },
            setFavorite: { id, isFavorite in
                lines.add("\(id) \(isFavorite)")
                return boots
            },
            otherwise: { Issue.record($0) }
        )
        let lists = ListManager.only(
            addProduct: { lines.add("add \($0) \($1)") },
            removeProduct: { lines.add("remove \($0) \($1)") },
            lists: { _ in Page([camp]) },
            list: { _ in camp },
            create: { ProductList(id: $0, name: $1) },
            rename: { id, name, _ in ProductList(id: id, name: name) },
            delete: { lines.add("delete \($0)") },
            otherwise: { Issue.record($0) }
        )

        for (_, call) in loader.everyOperation + lists.everyOperation { try await call() }

        let written = ["boots true", "add boots trip", "remove boots trip", "delete trip"]
        #expect(lines.all == written)
    }

    // Rule: screen/missing-action-throws (6); screen/missing-action-is-reported (7)
    @Test func `a request that was not expected throws its method and URL without secrets`()
        async throws
    {
        let networking: any Networking = .unimplemented(
            otherwise: { [reported] in reported.add($0.name) }
        )
        let service = ProductService.contract(
            user: .signedIn("anna") { "s3cret" },
            networking: networking
        )
        var search = NetworkRequest<Void>.post("search")
        search.query = [URLQueryItem(name: "token", value: "s3cret")]
        let client = NetworkClient(baseURL: .api, networking: networking)

        let load = try await thrown { _ = try await service.loader.loadProduct(withID: "a/b") }
        let post = try await thrown { [search] in try await client.send(search) }

        #expect(load.name == "GET https://api.example.com/v1/products/a%2Fb")
        #expect(post.name.hasPrefix("POST https://api.example.com/v1/search"))
        #expect(!post.localizedDescription.contains("s3cret"))
        #expect(reported.all == [load.name, post.name])
    }

    // Rule: screen/missing-action-throws (6); screen/missing-action-is-reported (7)
    @Test func `an unimplemented client sends nothing`() async throws {
        let client = NetworkClient.unimplemented(
            otherwise: { [reported] in reported.add($0.name) }
        )

        let error = try await thrown { _ = try await client.send(.boots) }

        #expect(error.name == "GET https://unimplemented.invalid/products/walking-boots")
        #expect(reported.all == [error.name])
    }

    private func thrown(_ body: () async throws -> Void) async throws -> UnimplementedAction {
        try await #require(throws: UnimplementedAction.self) { try await body() }
    }
}
