import EmbeddedStore
import Foundation
import Testing

/// Types into the list screen, as a person would.
@Suite(.timeLimit(.minutes(1))) struct BrowseTests {
    @Test func `pages are shown one after another until that was all`() async throws {
        let run = try await browse("n\nn\nq\n")

        #expect(run.output.contains("20 of 40 shown, n for more"))
        #expect(run.output.contains("40  ☆ gift-card"))
        #expect(run.output.contains("40 of 40 shown\n"))
        #expect(run.output.contains("There are no more products."))
    }

    @Test func `a search shows what matches, and the empty one everything again`() async throws {
        let run = try await browse("/enamel mug\n/\nq\n")

        #expect(run.output.contains("1   ☆ enamel-mug"))
        #expect(run.output.contains("1 of 1 shown\n"))
        #expect(run.output.components(separatedBy: "20 of 40").count == 3)
    }

    @Test func `a search without matches says so`() async throws {
        let run = try await browse("/no such thing\nq\n")

        #expect(run.output.contains("No product matches “no such thing”."))
    }

    @Test func `a row opens its product's screen, and a star shows in both`() async throws {
        let run = try await browse("*1\n1\nr\nq\n")

        #expect(run.output.contains("★ Fellstride Walking Boots\n"))
        #expect(run.output.contains("│ ★ Fellstride Walking Boots"))
        #expect(run.output.contains("1   ★ walking-boots"))
    }

    @Test func `a favorite reaches a store elsewhere`() async throws {
        try await withEmbeddedStore { store, baseURL in
            let run = try await shop(
                ["browse", "--interactive", "--api", "\(baseURL)"],
                input: "/enamel mug\n*1\n"
            )

            #expect(run.status == 0)
            #expect(store.isFavorite("enamel-mug"))
        }
    }

    @Test func `what cannot be understood or done is reported, and the rows stay`() async throws {
        let run = try await browse("99\nboots\n1\nq\n")

        #expect(run.output.contains("There is no row “99”: type 1 to 20."))
        #expect(run.output.contains("There is no row “boots”"))
        #expect(run.output.contains("│ ☆ Fellstride Walking Boots"))
    }

    @Test func `a store that is lost does not end the session`() async throws {
        try await withEmbeddedStore(
            intercept: { request, handle in
                request.query.contains("cursor") ? .problem(403) : await handle()
            }
        ) { _, baseURL in
            let run = try await shop(
                ["browse", "--interactive", "--api", "\(baseURL)"],
                input: "n\n1\nq\n"
            )

            #expect(run.status == 0)
            #expect(run.output.contains("✗ "))
            #expect(run.output.contains("│ ☆ Fellstride Walking Boots"))
        }
    }

    @Test func `where nobody types everything is listed`() async throws {
        let run = try await shop(["browse"])

        #expect(run.output.split(separator: "\n").count == 40)
        #expect(run.output.hasSuffix("Gift Card\n"))
    }

    private func browse(_ input: String) async throws -> ShopRun {
        let run = try await shop(["browse", "--interactive"], input: input)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        return run
    }
}
