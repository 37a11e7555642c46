import EmbeddedStore
import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ListContractTests {
    @Test func `all lists of a user are loaded page by page`() async throws {
        try await EmbeddedStore.withService { store, service in
            for number in 1...25 {
                _ = try await service.listManager.createList(named: "List \(number)")
            }

            var names: [String] = []
            var page = try await service.listManager.lists()
            names += page.items.map(\.name)
            while let next = page.next {
                page = try await service.listManager.lists(after: next)
                names += page.items.map(\.name)
            }

            #expect(names == store.lists().map(\.name))
            #expect(names.count == 27)
        }
    }

    @Test func `a list is loaded with its version`() async throws {
        try await EmbeddedStore.withService { _, service in
            let list = try await service.listManager.list(withID: "camping")

            #expect(list.name == "Camping trip")
            #expect(list.products == ["family-tent", "camp-stove", "enamel-mug"])
            #expect(list.version != nil)
            #expect(list.updatedAt != nil)
        }
    }

    @Test func `a missing list is reported as not found`() async throws {
        try await EmbeddedStore.withService { _, service in
            await #expect(throws: ListError.notFound("no-such-list")) {
                try await service.listManager.list(withID: "no-such-list")
            }
        }
    }

    @Test func `a list is created once when its creation is repeated`() async throws {
        try await EmbeddedStore.withService { store, service in
            for _ in 1...2 {
                let list = try await service.listManager.createList(
                    named: "Gifts",
                    id: "gifts/2026"
                )
                #expect(list.name == "Gifts")
                #expect(list.version != nil)
            }

            #expect(store.lists().filter { $0.id == "gifts/2026" }.map(\.name) == ["Gifts"])
        }
    }

    @Test func `creating a list under an existing identifier throws the current list`() async throws
    {
        try await EmbeddedStore.withService { store, service in
            let camping = try await service.listManager.list(withID: "camping")

            await #expect(throws: ListError.changed(current: camping)) {
                try await service.listManager.createList(named: "Gifts", id: "camping")
            }
            #expect(store.lists().map(\.name) == ["Wishlist", "Camping trip"])
        }
    }

    @Test func `an invalid name is refused with the reason`() async throws {
        try await EmbeddedStore.withService { _, service in
            let error = await #expect(throws: NetworkError.self) {
                try await service.listManager.createList(named: "")
            }

            #expect(error?.statusCode == 422)
            #expect(error?.problem?.errors.first?.pointer == "/name")
        }
    }

    @Test func `renaming without a version overwrites other changes`() async throws {
        try await EmbeddedStore.withService { store, service in
            store.renameList("camping", to: "Elsewhere")

            let list = try await service.listManager.renameList(withID: "camping", to: "Mountains")

            #expect(list.name == "Mountains")
            #expect(store.lists().map(\.name) == ["Wishlist", "Mountains"])
        }
    }

    @Test func `renaming with an outdated version throws the current list`() async throws {
        try await EmbeddedStore.withService { store, service in
            let read = try await service.listManager.list(withID: "camping")
            let renamed = try await service.listManager.renameList(
                withID: "camping",
                to: "Mountains",
                ifUnchanged: read
            )
            #expect(renamed.name == "Mountains")
            store.renameList("camping", to: "Elsewhere")
            let current = try await service.listManager.list(withID: "camping")

            await #expect(throws: ListError.changed(current: current)) {
                try await service.listManager.renameList(
                    withID: "camping",
                    to: "Sea",
                    ifUnchanged: renamed
                )
            }
            #expect(store.lists().map(\.name) == ["Wishlist", "Elsewhere"])
        }
    }

    @Test func `renaming a deleted list with a version is reported as not found`() async throws {
        try await EmbeddedStore.withService { store, service in
            let read = try await service.listManager.list(withID: "camping")
            store.deleteList("camping")

            await #expect(throws: ListError.notFound("camping")) {
                try await service.listManager.renameList(
                    withID: "camping",
                    to: "Sea",
                    ifUnchanged: read
                )
            }
        }
    }

    @Test func `deleting a list twice succeeds`() async throws {
        try await EmbeddedStore.withService { store, service in
            try await service.listManager.deleteList(withID: "camping")
            try await service.listManager.deleteList(withID: "camping")

            #expect(store.lists().map(\.id) == ["wishlist"])
        }
    }

    @Test func `adding and removing a product twice succeeds`() async throws {
        try await EmbeddedStore.withService { store, service in
            for _ in 1...2 {
                try await service.listManager.addProduct(
                    withID: "gid://shop/42",
                    toListWithID: "wishlist"
                )
                #expect(store.lists().first?.products == ["gid://shop/42"])
            }
            for _ in 1...2 {
                try await service.listManager.removeProduct(
                    withID: "gid://shop/42",
                    fromListWithID: "wishlist"
                )
                #expect(store.lists().first?.products == [])
            }
        }
    }

    @Test func `adding a product reports whether the list or the product is missing`() async throws
    {
        try await EmbeddedStore.withService { _, service in
            await #expect(throws: ListError.notFound("no-such-list")) {
                try await service.listManager.addProduct(
                    withID: "walking-boots",
                    toListWithID: "no-such-list"
                )
            }
            await #expect(throws: ProductError.notFound("gid://shop/43")) {
                try await service.listManager.addProduct(
                    withID: "gid://shop/43",
                    toListWithID: "wishlist"
                )
            }
        }
    }

    @Test func `users do not see the favorites and lists of other users`() async throws {
        var configuration = EmbeddedStore.Configuration()
        configuration.tokens["other-token"] = "other"
        try await withEmbeddedStore(configuration) { store, baseURL in
            func service(of user: String, token: String) -> ProductService {
                ProductService(
                    baseURL: baseURL,
                    localUser: LocalUser(currency: "EUR"),
                    user: .signedIn(user) { token }
                )
            }
            let otherService = service(of: "other", token: "other-token")
            let service = service(of: EmbeddedStore.demoUser, token: EmbeddedStore.demoToken)

            _ = try await service.loader.setFavoriteStatus(true, forProductWithID: "enamel-mug")
            try await service.listManager.deleteList(withID: "camping")

            let mug = try await otherService.loader.loadProduct(withID: "enamel-mug")
            #expect(!mug.isFavorite)
            let lists = try await otherService.listManager.lists()
            #expect(lists.items.map(\.id) == ["wishlist", "camping"])
            #expect(store.favorites(of: "other").isEmpty)
        }
    }
}
