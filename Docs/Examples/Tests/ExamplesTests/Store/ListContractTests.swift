import EmbeddedStore
import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct ListContractTests {
    @Test func `a user's lists are read, page by page if need be`() async throws {
        try await withShop { store, shop in
            for number in 1...25 {
                _ = try await shop.listManager.createList(named: "List \(number)")
            }

            var names: [String] = []
            var page = try await shop.listManager.lists()
            names += page.items.map(\.name)
            while let next = page.next {
                page = try await shop.listManager.lists(after: next)
                names += page.items.map(\.name)
            }

            #expect(names == store.lists().map(\.name))
            #expect(names.count == 27)
        }
    }

    @Test func `one list is read with its version`() async throws {
        try await withShop { _, shop in
            let list = try await shop.listManager.list(withID: "camping")

            #expect(list.name == "Camping trip")
            #expect(list.products == ["family-tent", "camp-stove", "enamel-mug"])
            #expect(list.version != nil)
            #expect(list.updatedAt != nil)
        }
    }

    @Test func `a list that is not there is reported as such`() async throws {
        try await withShop { _, shop in
            await #expect(throws: ListError.notFound("no-such-list")) {
                try await shop.listManager.list(withID: "no-such-list")
            }
        }
    }

    @Test func `a list is created once, however often it is sent`() async throws {
        try await withShop { store, shop in
            for _ in 1...2 {
                let list = try await shop.listManager.createList(named: "Gifts", id: "gifts/2026")
                #expect(list.name == "Gifts")
                #expect(list.version != nil)
            }

            #expect(store.lists().filter { $0.id == "gifts/2026" }.map(\.name) == ["Gifts"])
        }
    }

    @Test func `creating under an identity that is taken tells what is there`() async throws {
        try await withShop { store, shop in
            let camping = try await shop.listManager.list(withID: "camping")

            await #expect(throws: ListError.changed(current: camping)) {
                try await shop.listManager.createList(named: "Gifts", id: "camping")
            }
            #expect(store.lists().map(\.name) == ["Wishlist", "Camping trip"])
        }
    }

    @Test func `a name that breaks a rule is refused with the reason`() async throws {
        try await withShop { _, shop in
            let error = await #expect(throws: NetworkError.self) {
                try await shop.listManager.createList(named: "")
            }

            #expect(error?.statusCode == 422)
            #expect(error?.problem?.errors.first?.pointer == "/name")
        }
    }

    @Test func `renaming without a version wins over everybody`() async throws {
        try await withShop { store, shop in
            store.renameList("camping", to: "Elsewhere")

            let list = try await shop.listManager.rename("camping", to: "Mountains")

            #expect(list.name == "Mountains")
            #expect(store.lists().map(\.name) == ["Wishlist", "Mountains"])
        }
    }

    @Test func `renaming what was read tells when somebody was faster`() async throws {
        try await withShop { store, shop in
            let read = try await shop.listManager.list(withID: "camping")
            let renamed = try await shop.listManager.rename(
                "camping",
                to: "Mountains",
                ifUnchanged: read
            )
            #expect(renamed.name == "Mountains")
            store.renameList("camping", to: "Elsewhere")
            let current = try await shop.listManager.list(withID: "camping")

            await #expect(throws: ListError.changed(current: current)) {
                try await shop.listManager.rename("camping", to: "Sea", ifUnchanged: renamed)
            }
            #expect(store.lists().map(\.name) == ["Wishlist", "Elsewhere"])
        }
    }

    @Test func `renaming what was read tells when it is gone`() async throws {
        try await withShop { store, shop in
            let read = try await shop.listManager.list(withID: "camping")
            store.deleteList("camping")

            await #expect(throws: ListError.notFound("camping")) {
                try await shop.listManager.rename("camping", to: "Sea", ifUnchanged: read)
            }
        }
    }

    @Test func `a list is deleted, twice without harm`() async throws {
        try await withShop { store, shop in
            try await shop.listManager.deleteList(withID: "camping")
            try await shop.listManager.deleteList(withID: "camping")

            #expect(store.lists().map(\.id) == ["wishlist"])
        }
    }

    @Test func `a product is added and removed, twice without harm`() async throws {
        try await withShop { store, shop in
            for _ in 1...2 {
                try await shop.listManager.addProduct(
                    withID: "gid://shop/42",
                    toListWithID: "wishlist"
                )
                #expect(store.lists().first?.products == ["gid://shop/42"])
            }
            for _ in 1...2 {
                try await shop.listManager.removeProduct(
                    withID: "gid://shop/42",
                    fromListWithID: "wishlist"
                )
                #expect(store.lists().first?.products == [])
            }
        }
    }

    @Test func `adding tells whether the list or the product is missing`() async throws {
        try await withShop { _, shop in
            await #expect(throws: ListError.notFound("no-such-list")) {
                try await shop.listManager.addProduct(
                    withID: "walking-boots",
                    toListWithID: "no-such-list"
                )
            }
            await #expect(throws: ProductError.notFound("gid://shop/43")) {
                try await shop.listManager.addProduct(
                    withID: "gid://shop/43",
                    toListWithID: "wishlist"
                )
            }
        }
    }

    @Test func `two users see nothing of each other`() async throws {
        var configuration = EmbeddedStore.Configuration()
        configuration.tokens["other-token"] = "other"
        try await withEmbeddedStore(configuration) { store, baseURL in
            let user = LocalUser(currency: "EUR")
            let mine = ProductService(baseURL: baseURL, localUser: user) { EmbeddedStore.demoToken }
            let theirs = ProductService(baseURL: baseURL, localUser: user) { "other-token" }

            _ = try await mine.loader.setFavoriteStatus(true, forProductWithID: "enamel-mug")
            try await mine.listManager.deleteList(withID: "camping")

            let mug = try await theirs.loader.loadProduct(withID: "enamel-mug")
            #expect(!mug.isFavorite)
            let lists = try await theirs.listManager.lists()
            #expect(lists.items.map(\.id) == ["wishlist", "camping"])
            #expect(store.favorites(of: "other").isEmpty)
        }
    }
}
