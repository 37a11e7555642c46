import EmbeddedStore
import FlyingSocks
import Foundation
import Testing

/// Runs the program several times with one cache directory.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CachedShopTests {
    @Test func `the second run shows a cached response first, and then the response of the store`()
        async throws
    {
        try await FileManager.default.withTemporaryDirectory { directory in
            let first = try await ShopProgram.run(["--cache", path(directory)])
            let second = try await ShopProgram.run(["--cache", path(directory)])

            #expect(first.status == 0 && second.status == 0)
            #expect(!first.output.contains("cached,"))
            #expect(first.output.contains("✓ In 10 requests over real HTTP"))
            #expect(second.output.contains("→ GET /v1/products/walking-boots  200 from cache"))
            #expect(second.output.contains("┌─ cached, as of "))
            #expect(second.output.contains("→ GET /v1/lists  304 revalidated"))
            #expect(second.output.contains("→ GET /v1/products/walking-boots  200  "))
            #expect(second.output.contains("✓ In 11 requests over real HTTP"))
        }
    }

    @Test func `a stored response is revalidated by a store at another port`() async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            let arguments = ["show", "walking-boots", "--cache", path(directory)]
            _ = try await ShopProgram.run(arguments)

            let run = try await ShopProgram.run(arguments)

            #expect(run.output.contains("→ GET /v1/products/walking-boots  304 revalidated"))
            #expect(run.output.contains("→ GET /v1/lists  304 revalidated"))
            #expect(!run.output.contains("as of "))
        }
    }

    @Test(
        arguments: [
            (["show", "gid://shop/42"], "┌─ offline, as of "),
            (["lists"], "Camping trip (camping)"),
            (["lists"], "(offline, as of "),
            (["browse", "--search", "enamel mug"], "(offline, as of "),
            (["browse"], "enamel-mug"),
        ]
    )
    func `a stored response is shown offline with its date`(
        arguments: [String],
        expected: String
    ) async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            let arguments = arguments + ["--cache", path(directory)]
            let online = try await ShopProgram.run(arguments)
            #expect(online.status == 0 && !online.output.contains("offline"))

            let run = try await ShopProgram.run(arguments + ["--offline"])

            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
            #expect(run.output.contains(expected))
            let exchanges = run.output.split(separator: "\n").filter { $0.contains("→") }
            #expect(!exchanges.isEmpty && exchanges.allSatisfy { $0.contains("(stale-if-error)") })
        }
    }

    @Test func `a stored response is shown when the store is closed, without --offline`()
        async throws
    {
        try await FileManager.default.withTemporaryDirectory { directory in
            var arguments = ["show", "enamel-mug", "--cache", path(directory), "--api"]
            let port = try await withEmbeddedStore { _, baseURL in
                arguments.append("\(baseURL)")
                let run = try await ShopProgram.run(arguments)
                #expect(run.status == 0)
                return try #require(baseURL.port)
            }
            let socket = try await reservePort(UInt16(port))
            defer { try? socket.close() }

            let run = try await ShopProgram.run(arguments)

            #expect(run.status == 0)
            #expect(run.output.contains("┌─ offline, as of "))
        }
    }

    @Test func `a write invalidates the responses of its user, and other users do not see them`()
        async throws
    {
        try await FileManager.default.withTemporaryDirectory { directory in
            var configuration = EmbeddedStore.Configuration()
            configuration.tokens = ["a": "anna", "b": "bert"]
            try await withEmbeddedStore(configuration) { _, baseURL in
                func run(_ token: String, _ arguments: String...) async throws -> String {
                    let options = ["--api", "\(baseURL)", "--token", token, "--user", token]
                    let run = try await ShopProgram.run(
                        arguments + options + ["--cache", path(directory)]
                    )
                    #expect(run.status == 0 && run.errors.isEmpty)
                    return run.output
                }
                let show = "→ GET /v1/products/enamel-mug  "
                _ = try await run("a", "show", "enamel-mug")
                _ = try await run("a", "favorite", "enamel-mug")

                let first = try await run("a", "show", "enamel-mug")
                let second = try await run("b", "show", "enamel-mug")
                let repeated = try await run("b", "show", "enamel-mug")

                #expect(first.contains(show + "200 ") && first.contains("★"))
                #expect(second.contains(show + "200 ") && second.contains("☆"))
                #expect(repeated.contains(show + "304 "))
            }
        }
    }

    @Test func `the cache command lists stored responses, and removes them with --clear`()
        async throws
    {
        try await FileManager.default.withTemporaryDirectory { directory in
            _ = try await ShopProgram.run(["show", "walking-boots", "--cache", path(directory)])

            let list = try await ShopProgram.run(["cache", path(directory)])
            #expect(list.output.contains("/v1/products/walking-boots\n"))
            #expect(list.output.contains("  status 200, "))
            #expect(list.output.contains("fresh until"))
            #expect(list.output.contains("/v1/lists\n"))
            #expect(list.output.contains("stale"))
            #expect(list.output.contains("responses: 2\n"))

            let cleared = try await ShopProgram.run(["cache", path(directory), "--clear"])
            #expect(cleared.output.hasPrefix("responses: 0\n"))
            #expect(FileManager.default.files(in: directory).isEmpty)
            let empty = try await ShopProgram.run(["cache", path(directory)])
            #expect(empty.output == cleared.output)
            #expect(empty.output.contains("bytes on disk: 0\n"))
            #expect(empty.output.contains("disk failures: 0\n"))
        }
    }

    @Test func `the files contain no token`() async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            _ = try await ShopProgram.run(["--cache", path(directory)])

            let files = FileManager.default.files(in: directory)
            #expect(files.count == 2)
            for file in files {
                let bytes = try Data(contentsOf: file)
                #expect(bytes.range(of: Data(EmbeddedStore.demoToken.utf8)) == nil)
            }
        }
    }

    @Test func `a cache directory that is a file is ignored by show and reported by cache`()
        async throws
    {
        try await FileManager.default.withTemporaryDirectory { file in
            try Data("mine".utf8).write(to: file)

            let run = try await ShopProgram.run(["show", "enamel-mug", "--cache", path(file)])
            #expect(run.status == 0 && run.errors.isEmpty)

            let list = try await ShopProgram.run(["cache", path(file)])
            #expect(list.status == 1 && list.output.isEmpty)
            #expect(list.errors.split(separator: "\n").count == 1)
            #expect(list.errors.contains("cannot store responses"))
        }
    }

    @Test(
        arguments: [
            (["show", "enamel-mug", "--offline", "--cache"], 1, "There is no cached response"),
            (["favorite", "enamel-mug", "--offline", "--cache"], 1, "There is no cached response"),
            (["show", "enamel-mug", "--token", "b", "--cache"], 64, "add --user"),
        ]
    )
    func `a command that is impossible offline prints one line`(
        arguments: [String],
        status: Int32,
        expected: String
    ) async throws {
        try await FileManager.default.withTemporaryDirectory { directory in
            let run = try await ShopProgram.run(arguments + [path(directory)])

            #expect(run.status == status)
            #expect(run.errors.contains(expected))
        }
    }

    @Test func `--offline requires --cache`() async throws {
        let run = try await ShopProgram.run(["show", "enamel-mug", "--offline"])

        #expect(run.status == 64)
        #expect(run.errors.contains("add --cache"))
    }

    /// Returns a socket that has the port of a closed store and does not listen, so that no server of
    /// another test gets the port.
    private func reservePort(_ port: UInt16) async throws -> Socket {
        let socket = try Socket(domain: AF_INET, type: .stream)
        try socket.setValue(true, for: .localAddressReuse)
        // The port is in use for some more milliseconds if a child process that has been forked and
        // has not called exec yet has a copy of the store's socket.
        while (try? socket.bind(to: .inet(ip4: "127.0.0.1", port: port))) == nil {
            try await Task.sleep(for: .milliseconds(1))
        }
        return socket
    }

    private func path(_ url: URL) -> String {
        url.path(percentEncoded: false)
    }
}
