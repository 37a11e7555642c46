import Foundation
import ProductKit
import Testing

/// Responses that are never written, and the removal of all others.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskSecrecyTests {
    // Rule: cache/credentials-are-not-written (41)
    @Test func `no file contains a token or a cookie, even if the server sends one`() async throws {
        try await TemporaryDisk.with { disk in
            let cache = disk.launch().cache
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
                behaviors: [
                    CachingBehavior(cache: cache, partition: { "" }), TokenBehavior { "secret" },
                ]
            )
            var request = NetworkRequest<NetworkResponse>.get("products")
            request.parts.headers["Cookie"] = "id=secret"
            #expect(try await client.send(request).headers["Set-Cookie"] == "id=secret")

            let bytes = try Data(contentsOf: disk.file())

            #expect(bytes.range(of: Data("boots".utf8)) != nil)
            #expect(bytes.range(of: Data("secret".utf8)) == nil)
            #expect(bytes.range(of: Data("Cookie".utf8)) == nil)
        }
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test(
        arguments: [
            "Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "X-Auth-Token",
            "Session-ID", "X-AccessToken",
        ]
    )
    func `a response that varies by a secret is not written`(name: String) async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            try await client.store(
                headers: [name: "secret"],
                responseHeaders: ["Cache-Control": "max-age=60", "Vary": name]
            )
            disk.flush()

            #expect(disk.names.isEmpty)
            #expect(await !client.sendsRequest(headers: [name: "secret"]))
        }
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test(
        arguments: [
            "Authorization", "Authentication-Info", "Cookie", "Set-Cookie", "Set-Cookie2",
            "X-Auth-Token",
            "X-Access-Token", "X-Refresh-Token", "X-CSRF-Token", "X-XSRF-Token", "X-Api-Key",
            "X-Session-Id", "X-Session-Token", "X-WP-Nonce", "Nonce", "Cart-Token", "x-AUTH-token",
        ]
    )
    func `a credential in a response is in memory but not on disk`(name: String) async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            try await client.store(
                responseHeaders: ["Cache-Control": "max-age=60", name: "hidden"]
            )
            #expect(try await client.send().headers[name] == "hidden")

            let bytes = try Data(contentsOf: disk.file())
            let response = try await disk.launch().send()

            #expect(bytes.range(of: Data("hidden".utf8)) == nil)
            #expect(response.text == "boots" && response.headers[name] == nil)
        }
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test(
        arguments: [
            "ETag", "Last-Modified", "Content-Type", "Content-Language", "Content-Location", "Link",
            "Server-Timing", "X-Cache", "X-Request-Id", "X-Total-Count", "X-RateLimit-Remaining",
            // They contain words that suggest a secret, or their letters.
            "X-Next-Page-Token", "X-Cache-Key", "Public-Key-Pins", "X-Session-Count",
            "X-Ticket-Price", "X-Card-Count", "X-Hmac", "WWW-Authenticate", "X-Author",
            "X-Shipping-Zone", "X-Design", "Access-Control-Allow-Origin", "X-Content-Hash",
        ]
    )
    func `an ordinary field of a response is written`(name: String) async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store(
                responseHeaders: ["Cache-Control": "max-age=60", name: "\"1\""]
            )

            let response = try await disk.launch().send(policy: .cacheOnly)

            #expect(response.headers[name] == "\"1\"")
            #expect(response.headers["Cache-Control"] == "max-age=60")
        }
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test func `responses to requests with their own credentials are not written or read`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let headers = ["Authorization": "Bearer secret"]
            let first = disk.launch()
            try await first.store("hers", headers: headers)
            #expect(disk.names.isEmpty)
            #expect(await !first.sendsRequest(headers: headers))
            try await first.store("for everyone")

            let second = disk.launch()

            #expect(await second.sendsRequest(headers: headers))
            #expect(await !second.sendsRequest())
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `removing all responses leaves no file and cancels pending writes`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            for number in 0..<20 { try await client.store("\(number)", "\(number)") }
            disk.flush()
            for number in 20..<60 { try await client.store("\(number)", "\(number)") }

            client.cache.removeAll()
            #expect(!disk.directoryNames.contains(disk.folder.lastPathComponent))
            disk.flush()

            #expect(disk.directoryNames.isEmpty)
            #expect(client.cache.statistics.diskByteCount == 0)
            let next = disk.launch()
            #expect(next.cache.summaries().isEmpty)
            #expect(await next.sendsRequest("0", policy: .cacheFirst))
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `removing all responses works before the first lookup`() async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()

            disk.launch().cache.removeAll()
            disk.flush()

            #expect(disk.directoryNames.isEmpty)
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `another cache finds no response as soon as all are removed`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            for number in 0..<20 { try await client.store("\(number)", "\(number)") }
            disk.flush()

            client.cache.removeAll()
            let other = CachedClient(cache: ResponseCache(directory: disk.directory))

            for number in 0..<20 {
                #expect(await other.sendsRequest("\(number)", policy: .cacheFirst))
            }
            other.cache.flush()
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42); cache/earlier-response-is-not-stored (48)
    @Test func `a response is not written if the cache was cleared while it was in flight`()
        async throws
    {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            let gate = ActionGate<Void>()
            async let response = client.send { _ in
                try await gate.hold()
                return .text("boots", headers: ["Cache-Control": "max-age=60"])
            }
            await gate.waitForCalls(1)

            client.cache.removeAll()
            gate.open()

            let text = try await response.text
            #expect(text == "boots")
            #expect(disk.names.isEmpty)
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `a cleared cache stores responses again`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            try await client.store("old")
            client.cache.removeAll()
            try await client.store("new")

            let response = try await disk.launch().send(policy: .cacheOnly)
            #expect(response.text == "new")
            #expect(client.cache.statistics.diskFailureCount == 0)
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `a folder that was moved aside is deleted at the next launch`() async throws {
        try await TemporaryDisk.with { disk in
            let first = disk.launch()
            try await first.store()
            let file = try disk.file()
            let digits = String(repeating: "0123456789abcdef", count: 2)
            let gone = disk.directory.appending(path: "ProductKit-cache-2-\(digits).gone")
            let mine = disk.directory.appending(path: "ProductKit-cache-2-notes.gone")
            try FileManager.default.moveItem(at: disk.folder, to: gone)
            try mine.makeFolder()
            try Data().write(to: gone.appending(path: "\(digits).writing"))
            #expect(disk.directoryNames.count == 2 && !file.lastPathComponent.isEmpty)

            #expect(await disk.launch().sendsRequest(policy: .cacheFirst))
            disk.flush()

            #expect(disk.directoryNames == ["ProductKit-cache-2", mine.lastPathComponent])
            #expect(disk.names.isEmpty)
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `the folder of an earlier version is deleted at the next launch`() async throws {
        try await TemporaryDisk.with { disk in
            let old = disk.directory.appending(path: "ProductKit-cache-1")
            let digits = String(repeating: "0123456789abcdef", count: 2)
            try old.makeFolder()
            for name in ["\(digits).former", "\(digits).writing", "notes.former", digits] {
                try Data("old".utf8).write(to: old.appending(path: name))
            }

            try await disk.launch().store()
            disk.flush()
            let left = try FileManager.default.contentsOfDirectory(atPath: old.filePath)
            for name in left { try FileManager.default.removeItem(at: old.appending(path: name)) }
            _ = await disk.launch().sendsRequest()
            disk.flush()

            #expect(Set(left) == [digits, "notes.former"])
            #expect(disk.directoryNames == ["ProductKit-cache-2"])
        }
    }

    // Rule: cache/sign-out-empties-the-cache (42); cache/damaged-file-is-removed (53)
    @Test func `removing all responses leaves the files of others`() async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch()
            try await client.store()
            disk.flush()
            let other = disk.folder.appending(path: "notes")
            try Data("mine".utf8).write(to: other)

            client.cache.removeAll()

            #expect(disk.names == ["notes"])
            #expect(try Data(contentsOf: other) == Data("mine".utf8))
        }
    }
}
