import Foundation
import ProductKit
import Testing

/// Responses that are never written, and the removal of all others.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskSecrecyTests {
    private let disk = TemporaryDisk()

    // Rule: cache/credentials-are-not-written (41)
    @Test func `no file contains a token or a cookie, even if the server sends one`() async throws {
        let network = disk.launch().network(TokenBehavior { "secret" }) { request in
            #expect(request.value(forHTTPHeaderField: "Authorization") != nil)
            return .text(
                "boots",
                headers: [
                    "Cache-Control": "max-age=60", "Set-Cookie": "id=secret",
                    "Set-Cookie2": "id=secret",
                ]
            )
        }
        var request = NetworkRequest<NetworkResponse>.get("products")
        request.parts.headers["Cookie"] = "id=secret"
        #expect(try await network.send(request).headers["Set-Cookie"] == "id=secret")

        let bytes = try Data(contentsOf: disk.file())

        #expect(bytes.range(of: Data("boots".utf8)) != nil)
        for secret in ["secret", "Cookie"] { #expect(bytes.range(of: Data(secret.utf8)) == nil) }
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test(
        arguments: [
            "Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "X-Auth-Token",
            "Session-ID", "X-AccessToken",
        ]
    )
    func `a response that varies by a secret is not written`(name: String) async throws {
        let client = disk.launch()
        try await client.store(
            headers: [name: "secret"],
            responseHeaders: ["Cache-Control": "max-age=60", "Vary": name]
        )

        #expect(disk.names.isEmpty)
        #expect(await !client.sendsRequest(headers: [name: "secret"]))
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test(
        arguments: [
            "Authorization", "Authentication-Info", "Cookie", "Set-Cookie", "Set-Cookie2",
            "X-Auth-Token",
            "X-Access-Token", "X-Refresh-Token", "X-CSRF-Token", "X-XSRF-Token", "X-Api-Key",
            "X-Session-Id", "X-Session-Token", "X-WP-Nonce", "Nonce", "Cart-Token", "x-AUTH-token",
            "vendure-auth-token", "sw-context-token",
        ]
    )
    func `a credential in a response is in memory but not on disk`(name: String) async throws {
        let client = disk.launch()
        try await client.store(responseHeaders: ["Cache-Control": "max-age=60", name: "hidden"])
        #expect(try await client.send().headers[name] == "hidden")

        let bytes = try Data(contentsOf: disk.file())
        let response = try await disk.launch().send()

        #expect(bytes.range(of: Data("hidden".utf8)) == nil)
        #expect(response.text == "boots" && response.headers[name] == nil)
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test func `the token header of a backend is not stored, whatever its name is`() async throws {
        let received = Lines()
        let backend = ProductBackend(
            client: NetworkClient { request in
                let isRepeated = request.value(forHTTPHeaderField: "If-None-Match") != nil
                return NetworkResponse(
                    statusCode: isRepeated ? 304 : 200,
                    headers: ["Cache-Control": "max-age=0", "ETag": "1", "sw-context": "hidden"],
                    body: Data(#"{"id": "boots", "name": "Boots"}"#.utf8)
                )
            },
            cache: disk.launch().cache,
            tokenHeader: "SW-Context",
            tokenScheme: nil,
            loader: { client in
                ProductLoader(load: { id in
                    let request = NetworkRequest<Product>.get("goods", id)
                        .map { product, response in
                            received.add(response.headers["sw-context"] ?? "none")
                            return product
                        }
                    return try await client.send(request)
                })
            },
            listManager: { _ in .only() }
        )
        let loader = ProductService(backend: backend, localUser: .shopper, user: .guest).loader

        for _ in 1...2 {
            _ = try await loader.loadProduct(withID: "boots")
            let bytes = try Data(contentsOf: disk.file())
            #expect(bytes.range(of: Data("Boots".utf8)) != nil)
            #expect(bytes.range(of: Data("hidden".utf8)) == nil)
        }
        _ = try await loader.fetchProduct(withID: "boots", policy: .cacheOnly)
        #expect(received.all == ["hidden", "hidden", "none"])
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
        let fields: NetworkHeaders = ["Cache-Control": "max-age=60", name: "\"1\""]
        try await disk.launch().store(responseHeaders: fields)

        let response = try await disk.launch().send(policy: .cacheOnly)

        #expect(response.headers[name] == "\"1\"")
        #expect(response.headers["Cache-Control"] == "max-age=60")
    }

    // Rule: cache/credentials-are-not-written (41)
    @Test func `credentials in a request are part of the cache key, and its response is in memory`()
        async throws
    {
        let headers = ["Authorization": "Bearer secret"]
        let first = disk.launch()
        try await first.store("hers", headers: headers)
        #expect(disk.names.isEmpty)
        #expect(await !first.sendsRequest(headers: ["authorization": "Bearer secret"]))
        #expect(await first.sendsRequest(headers: ["Authorization": "Bearer other"]))
        #expect(await first.sendsRequest())
        try await first.store("for everyone")

        let second = disk.launch()

        #expect(await second.sendsRequest(headers: headers))
        #expect(await !second.sendsRequest())
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `removing all responses leaves no file and cancels pending writes`() async throws {
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

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `a cleared cache stores responses again, also if it was cleared when it was unused`()
        async throws
    {
        try await disk.launch().store("old")

        let client = disk.launch()
        client.cache.removeAll()
        disk.flush()
        #expect(disk.directoryNames.isEmpty)
        try await client.store("old")
        client.cache.removeAll()
        try await client.store("new")

        #expect(try await disk.launch().send(policy: .cacheOnly).text == "new")
        #expect(client.cache.statistics.diskFailureCount == 0)
    }

    // Rule: cache/sign-out-empties-the-cache (42); cache/read-only-disk-loses-changes (69)
    @Test func `a directory that is absent when all responses are removed comes back empty`()
        async throws
    {
        let client = disk.launch(byteLimit: 0)
        try await client.store()
        disk.flush()
        let away = TemporaryDirectory()
        let volume = away.url.appending(path: "volume")
        try FileManager.default.moveItem(at: disk.directory, to: volume)

        client.cache.removeAll()
        try FileManager.default.moveItem(at: volume, to: disk.directory)

        #expect(await client.sendsRequest(policy: .cacheFirst))
        #expect(client.cache.statistics.diskFailureCount == 0)
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test func `a folder that was moved aside is deleted at the next launch`() async throws {
        try await disk.launch().store()
        disk.flush()
        let gone = disk.directory.appending(path: "ProductKit-cache-2-\(UUID().uuidString)")
        let mine = try disk.makeFolder("ProductKit-cache-2-notes", with: [])
        try FileManager.default.moveItem(at: disk.folder, to: gone)
        try gone.appending(path: UUID().uuidString).write("")

        #expect(await disk.launch().sendsRequest(policy: .cacheFirst))

        #expect(disk.names.isEmpty)
        #expect(disk.directoryNames == ["ProductKit-cache-2", mine.lastPathComponent])
    }

    // Rule: cache/sign-out-empties-the-cache (42)
    @Test(
        .enabled(if: !OtherUser.isPermitted, "An administrator may delete every file."),
        arguments: [true, false]
    )
    func `a folder that cannot be deleted does not keep the responses`(
        isMovable: Bool
    ) async throws {
        let client = disk.launch()
        for number in 1...20 { try await client.store("", "products/\(number)") }
        disk.flush()
        let sealed = disk.folder.appending(path: "sealed")
        try FileManager.default.createDirectory(at: sealed, withIntermediateDirectories: true)
        try sealed.appending(path: "notes").write("mine")
        try sealed.setPermissions(0)
        if !isMovable { try disk.directory.setPermissions(0o500) }

        client.cache.removeAll()
        disk.flush()

        try disk.directory.setPermissions(0o700)
        let folder = try #require(disk.directoryNames.first)
        let left = try FileManager.default
            .contentsOfDirectory(atPath: disk.directory.appending(path: folder).filePath)
        #expect(left == ["sealed"])
        try disk.directory.appending(path: folder).appending(path: "sealed").setPermissions(0o700)
    }

    // Rule: cache/sign-out-empties-the-cache (42); cache/damaged-file-is-removed (53)
    @Test func `removing all responses deletes other files in the cache's folder only`()
        async throws
    {
        let client = disk.launch()
        try await client.store()
        disk.flush()
        for folder in [disk.folder, disk.directory] {
            try folder.appending(path: "notes").write("mine")
        }

        client.cache.removeAll()

        disk.flush()
        #expect(disk.directoryNames == ["notes"])
    }
}
