import Foundation
import ProductKit
import Testing

/// Functions that take one of the service protocols instead of a concrete service.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ServiceProtocolsTests {
    @Test func `an array of existentials can hold different services`() async throws {
        let services: [any Gettable<Product.ID, Product>] = [
            ProductLoader(load: { id in Product(id: id, name: "Boots") }),
            ClosureService { id in Product(id: id, name: "Boots") },
        ]

        for service in services {
            #expect(try await service.get("boots") == Product(id: "boots", name: "Boots"))
        }
    }

    @Test func `a data loader is gettable`() async throws {
        let files: any Gettable<URL, Data> = DataLoader(load: { Data($0.absoluteString.utf8) })

        #expect(try await files.get(.api) == Data("https://api.example.com/v1".utf8))
    }

    @Test func `a list manager is gettable, creatable, updatable and deletable`() async throws {
        let lines = Lines()
        let manager = ListManager(
            addProduct: { _, _ in },
            list: { id in
                lines.add("list \(id)")
                return ProductList(id: id, name: "Trip")
            },
            create: { id, name in
                lines.add("create \(name)")
                return ProductList(id: id, name: name)
            },
            rename: { id, name, version in
                lines.add("rename \(id) \(name) \(version ?? "any")")
                return ProductList(id: id, name: name)
            },
            delete: { id in lines.add("delete \(id)") }
        )

        let created = try await create("Trip", in: manager)
        try await rename("a", to: "Trek", version: nil, in: manager)
        try await rename("a", to: "Trek", version: "7", in: manager)
        try await remove("a", from: manager)

        #expect(created.name == "Trip")
        #expect(
            lines.all == [
                "create Trip", "list a", "rename a Trek any", "list a", "rename a Trek 7",
                "delete a",
            ]
        )
    }

    @Test func `pages of products and lists are gettable`() async throws {
        let loader = ProductLoader.only(search: { query, _ in
            Page([Product(id: "boots", name: query.text)])
        })
        let lists = ListManager.only(lists: { _ in Page([ProductList(id: "a", name: "Trip")]) })

        #expect(try await loader.firstPage.get("Boots").items.map(\.name) == ["Boots"])
        #expect(try await lists.firstPage.get().items.map(\.name) == ["Trip"])
    }

    @Test func `closures are creatable, updatable and deletable`() async throws {
        let lines = Lines()
        let updater: any Updatable<ProductList> = ClosureService { list in
            ProductList(id: list.id, name: list.name, version: "2")
        }

        let created = try await create(
            "Trip",
            in: ClosureService { name in ProductList(id: "a", name: name) }
        )
        let stored = try await updater.update(created)
        try await remove("a", from: ClosureService { id in lines.add("\(id)") })

        #expect(stored == ProductList(id: "a", name: "Trip", version: "2"))
        #expect(lines.all == ["a"])
    }

    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test func `a closure service calls no closure in a cancelled task`() async {
        let service = ClosureService<String, String> { id in
            Issue.record("The closure was called.")
            return id
        }
        let deleter = ClosureService<String, Void> { _ in Issue.record("The closure was called.") }

        await expectCancellation(of: [
            { _ = try await service.get("boots") }, { _ = try await service.create("boots") },
            { _ = try await service.update("boots") }, { try await deleter.delete("boots") },
        ])
    }

    private func create(
        _ name: String,
        in lists: some Creatable<String, ProductList>
    ) async throws -> ProductList {
        try await lists.create(name)
    }

    private func rename(
        _ id: ProductList.ID,
        to name: String,
        version: String?,
        in lists: some Gettable<ProductList.ID, ProductList> & Updatable<ProductList>
    ) async throws {
        var list = try await lists.get(id)
        (list.name, list.version) = (name, version)
        _ = try await lists.update(list)
    }

    private func remove(
        _ id: ProductList.ID,
        from lists: some Deletable<ProductList.ID>
    ) async throws {
        try await lists.delete(id)
    }
}
