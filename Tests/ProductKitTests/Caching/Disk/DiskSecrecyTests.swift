import Foundation
import ProductKit
import Testing

/// What is never written, and what is gone when a user has signed out.
@Suite(.timeLimit(.minutes(5))) struct DiskSecrecyTests {
    // Rule: cache/credentials-are-not-written (41)
    @Test func `no token and no cookie is in any file, even if the server sends one`() async throws
    {
        try await Disk.with { disk in
            let cache = disk.run().cache
            let client = NetworkClient(
                baseURL: .api,
                networking: .closure { request in
                    #expect(request.value(forHTTPHeaderField: "Authorization") != nil)
                    return .text(
                        "boots",
                        headers: [
                            "Cache-Control": "max-age=60", "Set-Cookie": "id=secret",
                            "Set-Cookie2": "id=secret",
                        ]
                    )
                },
                behaviors: [CachingBehavior(cache: cache), TokenBehavior { "secret" }]
            )
            var request = NetworkRequest<NetworkResponse>.get("products")
            request.headers["Cookie"] = "id=secret"
            #expect(try await client.send(request).headers["Set-Cookie"] == "id=secret")

            let bytes = try Data(contentsOf: disk.file())

            #expect(bytes.range(of: Data("boots".utf8)) != nil)
            #expect(bytes.range(of: Data("secret".utf8)) == nil)
            #expect(bytes.range(of: Data("Cookie".utf8)) == nil)
        }
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test(arguments: ["Authorization", "Cookie", "Proxy-Authorization"])
    func `an answer selected by a secret is not written`(name: String) async throws {
        try await Disk.with { disk in
            let shop = disk.run()
            try await shop.store(
                headers: [name: "secret"],
                responseHeaders: ["Cache-Control": "max-age=60", "Vary": name]
            )
            disk.flush()

            #expect(disk.names.isEmpty)
            #expect(await !shop.sendsRequest(headers: [name: "secret"]))
        }
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test func `an answer to a request that was signed outside is neither written nor read`()
        async throws
    {
        try await Disk.with { disk in
            let headers = ["Authorization": "Bearer secret"]
            let first = disk.run()
            try await first.store("hers", headers: headers)
            #expect(disk.names.isEmpty)
            #expect(await !first.sendsRequest(headers: headers))
            try await first.store("everybody's")

            let second = disk.run()

            #expect(await second.sendsRequest(headers: headers))
            #expect(await !second.sendsRequest())
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `nothing is on disk when the cache was emptied, whatever was waiting`() async throws
    {
        try await Disk.with { disk in
            let shop = disk.run()
            for number in 0..<20 { try await shop.store("\(number)", "\(number)") }
            disk.flush()
            for number in 20..<60 { try await shop.store("\(number)", "\(number)") }

            shop.cache.removeAll()
            #expect(disk.namesOutside.isEmpty)
            disk.flush()

            #expect(disk.namesOutside.isEmpty)
            #expect(shop.cache.statistics.diskByteCount == 0)
            let next = disk.run()
            #expect(next.cache.entries().isEmpty)
            #expect(await next.sendsRequest("0", policy: .cacheFirst))
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `a cache that has used nothing yet can be emptied`() async throws {
        try await Disk.with { disk in
            try await disk.run().store()

            disk.run().cache.removeAll()

            #expect(disk.namesOutside.isEmpty)
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42); cache/earlier-response-is-not-stored (48)
    @Test func `an answer on its way when the cache is emptied is not written`() async throws {
        try await Disk.with { disk in
            let shop = disk.run()
            let gate = Gate()
            async let answer = shop.send { _ in
                try await gate.pass()
                return .text("boots", headers: ["Cache-Control": "max-age=60"])
            }
            await gate.arrival()

            shop.cache.removeAll()
            gate.open()

            let text = try await answer.text
            #expect(text == "boots")
            #expect(disk.names.isEmpty)
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `an emptied cache goes on`() async throws {
        try await Disk.with { disk in
            let shop = disk.run()
            try await shop.store("old")
            shop.cache.removeAll()
            try await shop.store("new")

            let answer = try await disk.run().send(policy: .cacheOnly)
            #expect(answer.text == "new")
            #expect(shop.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `what a run set aside and could not delete, the next one deletes`() async throws {
        try await Disk.with { disk in
            let first = disk.run()
            try await first.store()
            let file = try disk.file()
            let digits = String(repeating: "0123456789abcdef", count: 2)
            let gone = disk.directory.appending(path: "ProductKit-cache-2-\(digits).gone")
            let mine = disk.directory.appending(path: "ProductKit-cache-2-notes.gone")
            try FileManager.default.moveItem(at: disk.folder, to: gone)
            try mine.makeFolder()
            try Data().write(to: gone.appending(path: "\(digits).writing"))
            #expect(disk.namesOutside.count == 2 && !file.lastPathComponent.isEmpty)

            #expect(await disk.run().sendsRequest(policy: .cacheFirst))
            disk.flush()

            #expect(disk.namesOutside == ["ProductKit-cache-2", mine.lastPathComponent])
            #expect(disk.names.isEmpty)
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42); cache/damaged-file-is-removed (53)
    @Test func `emptying leaves what is not the cache's`() async throws {
        try await Disk.with { disk in
            let shop = disk.run()
            try await shop.store()
            disk.flush()
            let other = disk.folder.appending(path: "notes")
            try Data("mine".utf8).write(to: other)

            shop.cache.removeAll()

            #expect(disk.names == ["notes"])
            #expect(try Data(contentsOf: other) == Data("mine".utf8))
        }
    }
}
