import EmbeddedStore
import Foundation
import ProductKit
import Testing

/// Runs the program `shop` with saved changes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutboxProgramTests {
    @Test func `a change that is made offline is shown, and is sent later`() async throws {
        try await withDirectories { changes, cache in
            try await withEmbeddedStore { store, baseURL in
                let api = ["--api", "\(baseURL)"]
                let options = api + ["--keep", changes, "--cache", cache]
                let show = ["show", "enamel-mug"] + options
                let online = try await ShopProgram.run(show)
                let list = try await ShopProgram.run(["browse"] + options)
                #expect(online.status == 0 && list.status == 0)

                let saved = try await ShopProgram.run(
                    ["--keep", changes, "favorite", "enamel-mug", "--offline"]
                )
                #expect(saved.status == 0 && saved.errors.isEmpty)
                #expect(
                    saved.output.hasPrefix(
                        "Saved and not sent yet: add enamel-mug to the favorites.\n"
                    )
                )
                #expect(!store.isFavorite("enamel-mug"))

                let shown = try await ShopProgram.run(show + ["--offline"])
                #expect(shown.output.contains("│ ★ ") && shown.output.contains("│ ★ (not sent)"))
                let row = try await ShopProgram.run(["browse"] + options + ["--offline"])
                #expect(row.output.contains(/★ enamel-mug .*\(not sent\)\n/))

                let sent = try await ShopProgram.run(["send", changes] + api)
                #expect(sent.status == 0 && sent.errors.isEmpty)
                #expect(sent.output.contains("→ PUT /v1/favorites/enamel-mug  200"))
                #expect(sent.output.hasSuffix("Sent: 1. Rejected: 0. Still waiting: 0.\n"))
                #expect(store.isFavorite("enamel-mug"))
                let later = try await ShopProgram.run(show)
                #expect(later.output.contains("│ ★ ") && !later.output.contains("(not sent)"))
            }
        }
    }

    @Test func `lists are created, filled, renamed and deleted offline`() async throws {
        try await withDirectories { changes, cache in
            try await withEmbeddedStore { store, baseURL in
                let options = ["--api", "\(baseURL)", "--keep", changes]
                func run(_ arguments: String...) async throws -> String {
                    let run = try await ShopProgram.run(arguments + options + ["--offline"])
                    #expect(run.status == 0 && run.errors.isEmpty)
                    return run.output
                }
                _ = try await ShopProgram.run(["lists", "--cache", cache] + options)

                #expect(
                    try await run("lists", "create", "Summer trip", "--id", "summer")
                        .contains("create the list “Summer trip” (summer).")
                )
                _ = try await run("lists", "add", "enamel-mug", "--to", "summer")
                _ = try await run("add", "walking-boots", "--to", "summer")
                _ = try await run("lists", "remove", "camp-stove", "--from", "camping")
                _ = try await run("lists", "rename", "summer", "Autumn trip")
                _ = try await run("lists", "delete", "wishlist")
                let lists = try await run("lists", "--cache", cache)
                #expect(
                    lists.hasSuffix(
                        """
                        Camping trip (camping) (not sent)
                          family-tent
                          enamel-mug
                        Autumn trip (summer) (not sent)
                          enamel-mug
                          walking-boots

                        """
                    )
                )

                let sent = try await ShopProgram.run(["send", changes, "--api", "\(baseURL)"])
                #expect(sent.status == 0)
                #expect(store.lists().map(\.name) == ["Camping trip", "Autumn trip"])
                #expect(store.lists().last?.products == ["enamel-mug", "walking-boots"])
            }
        }
    }

    @Test func `a change waits while the store loses responses, and is carried out once`()
        async throws
    {
        let connection = StoreConnection()
        try await withDirectories { changes, _ in
            try await withEmbeddedStore(intercept: connection.intercept) { store, baseURL in
                let api = ["--api", "\(baseURL)"]
                connection.state = .losesResponses
                let favorite = ["favorite", "enamel-mug", "--keep", changes]
                let saved = try await ShopProgram.run(favorite + api)
                #expect(saved.status == 0)
                let failed = try await ShopProgram.run(["send", changes] + api)
                #expect(failed.status == 75)
                #expect(failed.output.contains("Sent: 0. Rejected: 0. Still waiting: 1.\n"))

                // Another device undoes the change, before it is sent again.
                #expect(store.isFavorite("enamel-mug"))
                store.setFavorite(false, "enamel-mug")
                connection.state = .intact
                let sent = try await ShopProgram.run(["send", changes] + api)

                #expect(sent.status == 0)
                #expect(sent.output.contains("Sent: 1. Rejected: 0. Still waiting: 0.\n"))
                #expect(!store.isFavorite("enamel-mug"))
                #expect(store.repeatedWriteCount > 0)
            }
        }
    }

    @Test func `a rejected change is reported until it is dismissed`() async throws {
        try await withDirectories { changes, _ in
            let add = ["add", "enamel-mug", "--to", "nowhere", "--keep", changes]
            _ = try await ShopProgram.run(add + ["--offline"])
            let waiting = try await ShopProgram.run(["pending", changes])
            #expect(waiting.status == 0)
            #expect(
                waiting.output.contains(
                    /^1 change waits:\n  [0-9a-f]{32}  \d\d:\d\d  add enamel-mug to the list nowhere\n$/
                )
            )

            for _ in 1...2 {
                let sent = try await ShopProgram.run(["send", changes])
                #expect(sent.status == 1)
                #expect(sent.output.contains("Sent: 0. Rejected: 1. Still waiting: 0.\n"))
                #expect(sent.output.contains("This list does not exist."))
            }
            let pending = try await ShopProgram.run(["pending", changes])
            #expect(pending.output.hasPrefix("No change waits.\nRejected: 1\n"))

            let dismissed = try await ShopProgram.run(["pending", changes, "--dismiss"])
            #expect(dismissed.status == 0 && dismissed.output == "No change waits.\n")
            let sent = try await ShopProgram.run(["send", changes])
            #expect(sent.status == 0)
        }
    }

    @Test func `a change that the store rejects immediately fails the command once`()
        async throws
    {
        try await withDirectories { changes, _ in
            let run = try await ShopProgram.run(
                ["add", "enamel-mug", "--to", "nowhere", "--keep", changes]
            )
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.errors.contains("This list does not exist."))

            let pending = try await ShopProgram.run(["pending", changes])
            #expect(pending.output == "No change waits.\n")
        }
    }

    @Test func `a change can be discarded`() async throws {
        try await withDirectories { changes, _ in
            let favorite = ["favorite", "enamel-mug", "--keep", changes, "--offline"]
            _ = try await ShopProgram.run(favorite)
            let pending = try await ShopProgram.run(["pending", changes])
            let id = try #require(pending.output.firstMatch(of: /[0-9a-f]{32}/)).output

            let unknown = try await ShopProgram.run(["pending", changes, "--discard", "x"])
            #expect(unknown.status == 1 && unknown.errors.contains("No change “x” waits."))
            let run = try await ShopProgram.run(["pending", changes, "--discard", "\(id)"])
            #expect(run.status == 0 && run.output == "No change waits.\n")
        }
    }

    @Test(arguments: [["send"], ["pending"], ["show", "enamel-mug", "--keep"]])
    func `a directory that another process uses is reported`(command: [String]) async throws {
        try await withDirectories { changes, _ in
            let service = ProductService(
                baseURL: URL(filePath: "/"),
                localUser: LocalUser(currency: "EUR"),
                user: .signedIn(EmbeddedStore.demoUser),
                outbox: Outbox(directory: URL(filePath: changes))
            )
            try await service.outbox?.save(.setFavorite("enamel-mug", to: true))

            let run = try await ShopProgram.run(command + [changes])

            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.errors.contains("Your saved changes cannot be used at the moment."))
            await service.outbox?.stop()
        }
    }

    @Test(
        arguments: [
            (["send", "x", "--token", "b"], "add --user"),
            (["show", "enamel-mug", "--token", "b", "--keep", "x"], "add --user"),
            (["show", "enamel-mug", "--offline"], "add --cache or --keep"),
        ]
    )
    func `an option that is missing is named`(
        arguments: [String],
        expected: String
    ) async throws {
        let run = try await ShopProgram.run(arguments)

        #expect(run.status == 64)
        #expect(run.errors.contains(expected))
    }

    @Test func `screen, disk and store agree after outages and restarts`() async throws {
        let run = try await ShopProgram.run(["race", "--offline", "--rounds", "100"])

        #expect(run.errors == "")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("✓ 100 rounds with "))
        #expect(run.output.hasSuffix("screen, disk and store agree.\n"))
    }

    private func withDirectories(
        _ body: (_ changes: String, _ cache: String) async throws -> Void
    ) async throws {
        try await FileManager.default.withTemporaryDirectory { parent in
            try await body(
                parent.appending(path: "changes").path(percentEncoded: false),
                parent.appending(path: "cache").path(percentEncoded: false)
            )
        }
    }
}
