import EmbeddedStore
import Foundation
import Testing

/// Runs the program itself, as a person would.
@Suite(.timeLimit(.minutes(1))) struct ShopTests {
    @Test func `without a command it shows a screen and says what was verified`() async throws {
        let run = try await shop()

        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        let lastLine = try #require(run.output.split(separator: "\n").last)
        #expect(lastLine.hasPrefix("✓ In 8 requests over real HTTP"))
        #expect(run.output.contains("→ PUT /v1/favorites/walking-boots  200"))
    }

    @Test(
        arguments: [
            (["show", "walking-boots", "--currency", "JPY"], "¥21,800"),
            (["browse", "--search", "enamel mug"], "enamel-mug"),
            (["favorite", "walking-boots"], "★ Fellstride Walking Boots"),
            (["favorite", "walking-boots", "--off"], "☆ Fellstride Walking Boots"),
            (["add", "walking-boots", "--to", "wishlist"], "Lists: Wishlist"),
            (["lists"], "Camping trip (camping)"),
            (["race", "--rounds", "50"], "agreed at rest in every one"),
            (["--flaky", "0.4"], "the screen and the store agree"),
            (["--verbose"], "answered 200 with"),
            (["--help"], "serve"),
        ]
    )
    func `a command does what it says`(arguments: [String], expected: String) async throws {
        let run = try await shop(arguments)

        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output.contains(expected))
    }

    @Test(
        arguments: [
            (["show", "no-such-thing"], "There is no product “no-such-thing”"),
            (["add", "walking-boots", "--to", "nowhere"], "There is no list “nowhere”"),
            (["lists", "--token", "wrong"], "401"),
            (["lists", "--api", "http://127.0.0.1:1/v1"], "cannot be reached"),
        ]
    )
    func `a failure is one line and an exit code`(
        arguments: [String],
        expected: String
    ) async throws {
        let run = try await shop(arguments)

        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.errors.contains(expected))
    }

    @Test func `a store elsewhere keeps what was done`() async throws {
        try await withEmbeddedStore { store, baseURL in
            let run = try await shop(["favorite", "enamel-mug", "--api", "\(baseURL)"])

            #expect(run.status == 0)
            #expect(store.isFavorite("enamel-mug"))
        }
    }

    @Test func `a store that answers with a web page is told in one line`() async throws {
        try await withEmbeddedStore(
            intercept: { _, _ in
                StoreResponse(status: 200, text: "<html></html>", type: "text/html")
            }
        ) { _, baseURL in
            let run = try await shop(["show", "enamel-mug", "--api", "\(baseURL)"])

            #expect(run.status == 1)
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(run.errors.contains("web site"))
        }
    }
}
