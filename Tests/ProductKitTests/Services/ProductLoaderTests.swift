import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProductLoaderTests {
    @Test func `the methods pass their arguments to the closures`() async throws {
        let lines = Mutex<[String]>([])
        let log: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
        let boots = Product.boots
        let loader = ProductLoader(
            load: { id in
                log("load \(id)")
                return boots
            },
            search: { query, cursor in
                log("search \(query.text) \(cursor?.rawValue ?? "first")")
                return Page([boots], next: "2")
            },
            favorites: { cursor in
                log("favorites \(cursor?.rawValue ?? "first")")
                return Page([boots])
            },
            setFavorite: { id, isFavorite in
                log("set \(id) \(isFavorite)")
                return boots
            }
        )

        #expect(try await loader.loadProduct(withID: "a") == boots)
        #expect(try await loader.get("b") == boots)
        #expect(try await loader.products() == Page([boots], next: "2"))
        #expect(try await loader.products(matching: "boots", after: "2").next == "2")
        #expect(try await loader.favorites() == Page([boots]))
        #expect(try await loader.favorites(after: "3") == Page([boots]))
        #expect(try await loader.setFavoriteStatus(true, forProductWithID: "c") == boots)
        #expect(try await loader.setFavoriteStatus(false, forProductWithID: "d") == boots)

        let expected = [
            "load a", "load b", "search  first", "search boots 2", "favorites first",
            "favorites 3", "set c true", "set d false",
        ]
        #expect(lines.withLock { $0 } == expected)
    }

    // Rule: favorites/rows-are-favorites (6)
    @Test func `a summary in a page of favorites is a favorite`() async throws {
        let loader = ProductLoader(
            load: { _ in .boots },
            favorites: { _ in Page([Product(id: "pan", name: "Pan").summary(of: [.prices])]) }
        )

        #expect(try await loader.favorites().items.map(\.isFavorite) == [true])
    }

    @Test func `an operation without a closure throws UnsupportedOperation with its name`()
        async throws
    {
        let loader = ProductLoader(load: { id in Product(id: id, name: "Boots") })

        await #expect(throws: UnsupportedOperation("search")) { try await loader.products() }
        await #expect(throws: UnsupportedOperation("favorites")) { try await loader.favorites() }
        await #expect(throws: UnsupportedOperation("setFavorite")) {
            try await loader.setFavoriteStatus(true, forProductWithID: "boots")
        }
    }

    @Test func `errors of a closure are thrown unchanged`() async throws {
        let loader = ProductLoader(load: { id in throw ProductError.notFound(id) })

        await #expect(throws: ProductError.notFound("boots")) {
            try await loader.loadProduct(withID: "boots")
        }
    }

    // Rule: screen/confirmed-toggle-keeps-status (59)
    @Test(arguments: [
        NetworkError(.unreachable), NetworkError(.unavailable), NetworkError(.timedOut),
    ])
    func `a confirmed favorite status is a success although the product cannot be loaded`(
        error: NetworkError
    ) async throws {
        let loader = ProductLoader(
            load: { _ in throw error },
            setFavorite: { _, _ in nil }
        )

        #expect(try await loader.setFavoriteStatus(true, forProductWithID: "boots") == nil)
    }

    // Rule: screen/confirmed-edit-outlasts-product (68)
    @Test func `a confirmed status of a product that is missing afterwards is a success`()
        async throws
    {
        let loader = ProductLoader(
            load: { id in throw ProductError.notFound(id) },
            setFavorite: { _, _ in nil }
        )

        #expect(try await loader.setFavoriteStatus(true, forProductWithID: "boots") == nil)
    }

    // Rule: cancellation/cancelled-task-sends-nothing (4)
    @Test(arguments: 0..<6)
    func `a method that is called in a cancelled task calls no closure`(method: Int) async {
        let calls = Counter()
        let loader = ProductLoader(
            load: { id in
                calls.next()
                return Product(id: id, name: "Boots")
            },
            search: { _, _ in
                calls.next()
                return Page([])
            },
            favorites: { _ in
                calls.next()
                return Page([])
            },
            setFavorite: { _, _ in
                calls.next()
                return .boots
            }
        )
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            switch method {
            case 0: _ = try await loader.loadProduct(withID: "boots")
            case 1: _ = try await loader.fetchProduct(withID: "boots")
            case 2: _ = try await loader.products()
            case 3: _ = try await loader.favorites()
            case 4: _ = try await loader.setFavoriteStatus(true, forProductWithID: "boots")
            default: _ = try await loader.get("boots")
            }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(calls.count == 0)
    }
}
