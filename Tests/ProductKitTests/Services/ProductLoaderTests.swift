import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductLoaderTests {
    @Test func `the methods pass their arguments to the closures`() async throws {
        let lines = Lines()
        let boots = Product.boots
        let loader = ProductLoader(
            load: { id in
                lines.add("load \(id)")
                return boots
            },
            search: { query, cursor in
                lines.add("search \(query.at(cursor))")
                return Page([boots], next: "2")
            },
            favorites: { cursor in
                lines.add("favorites \(cursor?.rawValue ?? "first")")
                return Page([boots])
            },
            setFavorite: { id, isFavorite in
                lines.add("set \(id) \(isFavorite)")
                return boots
            }
        )

        #expect(try await loader.loadProduct(withID: "a") == boots)
        #expect(try await loader.get("b") == boots)
        #expect(try await loader.products() == Page([boots], next: "2"))
        #expect(try await loader.products(matching: "boots", after: "2").next == "2")
        let favorites = Page([boots.with { $0.isFavorite = true }])
        #expect(try await loader.favorites() == favorites)
        #expect(try await loader.favorites(after: "3") == favorites)
        #expect(try await loader.setFavoriteStatus(true, forProductWithID: "c") == boots)
        #expect(try await loader.setFavoriteStatus(false, forProductWithID: "d") == boots)

        let expected = [
            "load a", "load b", "search :first", "search boots:2", "favorites first",
            "favorites 3", "set c true", "set d false",
        ]
        #expect(lines.all == expected)
    }

    // Rule: favorites/rows-are-favorites (6)
    @Test func `each product in a page of favorites is a favorite`() async throws {
        let pan = Product(id: "pan", name: "Pan")
        let loader = ProductLoader(
            load: { _ in .boots },
            favorites: { _ in Page([pan, pan.summary(of: [.prices])]) }
        )

        #expect(try await loader.favorites().items.map(\.isFavorite) == [true, true])
    }

    @Test func `an operation without a closure throws UnsupportedOperation with its name`() async {
        let loader = ProductLoader(load: { _ in .boots })

        for (name, call) in loader.everyOperation where name != "load" {
            await #expect(throws: UnsupportedOperation(name)) { try await call() }
        }
    }

    // Rule: screen/confirmed-toggle-keeps-status (59)
    // Rule: screen/confirmed-edit-outlasts-product (68)
    @Test(
        arguments: [
            NetworkError(.unreachable), NetworkError(.unavailable), NetworkError(.timedOut),
            ProductError.notFound("boots"),
        ] as [any Error]
    )
    func `a confirmed favorite status is a success although the product cannot be loaded`(
        error: any Error
    ) async throws {
        let loader = ProductLoader(load: { _ in throw error }, setFavorite: { _, _ in nil })

        #expect(try await loader.setFavoriteStatus(true, forProductWithID: "boots") == nil)
    }

    // Rule: screen/confirmed-toggle-keeps-status (59)
    @Test func `a confirmed favorite status is known, although products have none`() async throws {
        let loader = ProductLoader(
            load: { id in
                var product = Product(id: id, name: "Boots")
                product.unknownMembers = .isFavorite
                return product
            },
            setFavorite: { _, _ in nil }
        )

        let favorite = try await loader.setFavoriteStatus(true, forProductWithID: "boots")
        let boots = try await loader.loadProduct(withID: "boots")

        #expect(favorite?.isFavorite == true && favorite?.unknownMembers == [])
        #expect(boots.unknownMembers == .isFavorite)
    }

    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test func `a method that is called in a cancelled task calls no closure`() async {
        let loader = ProductLoader.only(otherwise: { Issue.record($0) })

        await expectCancellation(of: loader.everyOperation.map(\.call))
    }
}
