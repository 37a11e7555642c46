import EmbeddedStore
import Foundation
import Testing

/// Types commands into the catalog screen of `shop browse --interactive`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BrowseTests {
    @Test func `n shows the next page until there are no more products`() async throws {
        let run = try await browse("n\nn\nq\n")

        #expect(run.output.contains("20 of 40 shown, n for more"))
        #expect(run.output.contains("40  ☆ gift-card"))
        #expect(run.output.contains("40 of 40 shown\n"))
        #expect(run.output.contains("There are no more products."))
    }

    @Test func `a search shows the matching products, and an empty one shows all`() async throws {
        let run = try await browse("/enamel mug\n/\nq\n")

        #expect(run.output.contains("1   ☆ enamel-mug"))
        #expect(run.output.contains("1 of 1 shown\n"))
        #expect(run.output.components(separatedBy: "20 of 40").count == 3)
    }

    @Test func `a search without matches is reported`() async throws {
        let run = try await browse("/no such thing\nq\n")

        #expect(run.output.contains("No product matches “no such thing”."))
    }

    @Test func `a row opens its product, and both show the same favorite status`() async throws {
        let run = try await browse("*1\n1\nr\nq\n")

        #expect(run.output.contains("★ Fellstride Walking Boots\n"))
        #expect(run.output.contains("│ ★ Fellstride Walking Boots"))
        #expect(run.output.contains("1   ★ walking-boots"))
    }

    @Test func `a favorite status is sent to the store at --api`() async throws {
        try await withEmbeddedStore { store, baseURL in
            let run = try await ShopProgram.run(
                ["browse", "--interactive", "--api", "\(baseURL)"],
                input: "/enamel mug\n*1\n"
            )

            #expect(run.status == 0)
            #expect(store.isFavorite("enamel-mug"))
        }
    }

    @Test func `an unknown row is reported, and the rows stay`() async throws {
        let run = try await browse("99\nboots\n1\nq\n")

        #expect(run.output.contains("There is no row “99”: type 1 to 20."))
        #expect(run.output.contains("There is no row “boots”"))
        #expect(run.output.contains("│ ☆ Fellstride Walking Boots"))
    }

    @Test func `a failed request does not end the session`() async throws {
        try await withEmbeddedStore(
            intercept: { request, handle in
                request.query.contains("cursor") ? .problem(403) : await handle()
            }
        ) { _, baseURL in
            let run = try await ShopProgram.run(
                ["browse", "--interactive", "--api", "\(baseURL)"],
                input: "n\n1\nq\n"
            )

            #expect(run.status == 0)
            #expect(run.output.contains("✗ "))
            #expect(run.output.contains("│ ☆ Fellstride Walking Boots"))
        }
    }

    @Test func `all products are listed when the program is not interactive`() async throws {
        let run = try await ShopProgram.run(["browse"])

        #expect(run.output.split(separator: "\n").count == 40)
        #expect(run.output.hasSuffix("Gift Card\n"))
    }

    private func browse(_ input: String) async throws -> ShopProgram.Run {
        let run = try await ShopProgram.run(["browse", "--interactive"], input: input)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        return run
    }
}
