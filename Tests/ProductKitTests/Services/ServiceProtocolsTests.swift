import Foundation
import ProductKit
import Synchronization
import Testing

/// Functions that take one of the service protocols instead of a concrete service.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ServiceProtocolsTests {
    @Test func `a product loader is gettable`() async throws {
        let loader = ProductLoader(load: { id in Product(id: id, name: "Boots") })

        #expect(try await name(of: "boots", in: loader) == "Boots")
    }

    @Test func `a closure service is gettable`() async throws {
        let products = ClosureService { (id: Product.ID) in Product(id: id, name: "Boots") }

        #expect(try await name(of: "boots", in: products) == "Boots")
    }

    @Test func `a data loader is gettable`() async throws {
        let loader = DataLoader(load: { url in Data(url.absoluteString.utf8) })

        #expect(try await size(at: .api, in: loader) == 26)
    }

    @Test func `an array of existentials can hold different services`() async throws {
        let boots = Product.boots
        let services: [any Gettable<Product.ID, Product>] = [
            ProductLoader(load: { _ in boots }), ClosureService { _ in boots },
        ]

        for service in services {
            #expect(try await service.get("walking-boots") == boots)
        }
    }

    @Test func `a list manager is gettable, creatable, updatable and deletable`() async throws {
        let lines = Mutex<[String]>([])
        let manager = ListManager(
            addProduct: { _, _ in },
            list: { id in
                lines.withLock { $0.append("list \(id)") }
                return ProductList(id: id, name: "Trip")
            },
            create: { id, name in
                lines.withLock { $0.append("create \(name)") }
                return ProductList(id: id, name: name)
            },
            rename: { id, name, version in
                lines.withLock { $0.append("rename \(id) \(name) \(version ?? "any")") }
                return ProductList(id: id, name: name)
            },
            delete: { id in lines.withLock { $0.append("delete \(id)") } }
        )

        let created = try await create("Trip", in: manager)
        try await rename("a", to: "Trek", version: nil, in: manager)
        try await rename("a", to: "Trek", version: "7", in: manager)
        try await remove("a", from: manager)

        #expect(created.name == "Trip")
        #expect(
            lines.withLock { $0 } == [
                "create Trip", "list a", "rename a Trek any", "list a", "rename a Trek 7",
                "delete a",
            ]
        )
    }

    @Test func `pages of products and lists are gettable`() async throws {
        let loader = ProductLoader.only(
            search: { query, _ in Page([Product(id: "boots", name: query.text)], next: "2") },
            favorites: { _ in Page([.boots]) }
        )
        let lists = ListManager.only(lists: { _ in Page([ProductList(id: "a", name: "Trip")]) })

        #expect(try await firstName(matching: "Boots", in: loader.firstPage) == "Boots")
        #expect(try await lists.firstPage.get().items.map(\.name) == ["Trip"])
        let page = ClosureService { (query: ProductQuery) in
            Page([Product(id: "1", name: query.text)])
        }
        #expect(try await firstName(matching: "Hat", in: page) == "Hat")
    }

    @Test func `closures are creatable, updatable and deletable`() async throws {
        let lines = Mutex<[String]>([])

        let created = try await create(
            "Trip",
            in: ClosureService { name in ProductList(id: "a", name: name) }
        )
        let stored = try await save(
            created,
            in: ClosureService { (list: ProductList) in
                var list = list
                list.version = "2"
                return list
            }
        )
        try await remove("a", from: ClosureService { id in lines.withLock { $0.append("\(id)") } })

        #expect(created.name == "Trip" && stored.version == "2")
        #expect(lines.withLock(\.self) == ["a"])
    }

    private func firstName(
        matching query: ProductQuery,
        in pages: some Gettable<ProductQuery, Page<Product>>
    ) async throws -> String? {
        try await pages.get(query).items.first?.name
    }

    private func save(
        _ list: ProductList,
        in lists: some Updatable<ProductList>
    ) async throws -> ProductList {
        try await lists.update(list)
    }

    private func name(
        of id: Product.ID,
        in products: some Gettable<Product.ID, Product>
    ) async throws -> String {
        try await products.get(id).name
    }

    private func size(at url: URL, in files: some Gettable<URL, Data>) async throws -> Int {
        try await files.get(url).count
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
        list.name = name
        list.version = version
        _ = try await lists.update(list)
    }

    private func remove(
        _ id: ProductList.ID,
        from lists: some Deletable<ProductList.ID>
    ) async throws {
        try await lists.delete(id)
    }
}

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ClosureServiceTests {
    @Test func `the closure receives the input and its value is returned`() async throws {
        let service = ClosureService { (number: Int) in "\(number)" }

        #expect(try await service.get(7) == "7")
    }

    @Test func `errors of the closure are thrown unchanged`() async throws {
        let service = ClosureService<Int, String> { _ in throw UnsupportedOperation("get") }

        await #expect(throws: UnsupportedOperation("get")) { try await service.get(7) }
    }

    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test func `a closure service calls no closure in a cancelled task`() async {
        let service = ClosureService { (_: Product.ID) in Issue.record("The closure was called.") }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await service.get("boots")
        }

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test(arguments: ["create", "update", "delete"])
    func `no service calls its closure in a cancelled task`(method: String) async {
        let updater = ClosureService { (_: String) in
            Issue.record("The closure was called.")
            return ""
        }
        let deleter = ClosureService<String, Void> { _ in Issue.record("The closure was called.") }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            switch method {
            case "create": _ = try await updater.create("boots")
            case "update": _ = try await updater.update("boots")
            default: try await deleter.delete("boots")
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `cancelling the task cancels the closure`() async throws {
        let service = ClosureService<Int, String> { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            try Task.checkCancellation()
            return ""
        }
        let task = Task { try await service.get(7) }

        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
