import Foundation
import ProductKit
import Synchronization
import Testing

/// Writing, replacing and removing files, also while they are read.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskWritingTests {
    private let disk = TemporaryDisk()

    // Rule: cache/files-are-atomic-and-private (52); security/no-store-and-private-files (20)
    @Test(arguments: [false, true])
    func `only the owner has access to the folder and its files`(folderExists: Bool) async throws {
        if folderExists {
            try disk.folder.makeFolder()
            try disk.folder.setPermissions(0o755)
        }

        try await disk.launch().store()

        #expect(try disk.file().permissions() == 0o600)
        #expect(try disk.folder.permissions() == 0o700)
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `there is one file for each URL and partition, whatever the number of variants`()
        async throws
    {
        let client = disk.launch()
        for mode in ["a", "b"] { try await client.storeVariant(mode) }
        let name = try disk.file().lastPathComponent
        let digits = name.dropLast(".entry".count)
        #expect(digits.count == 32 && digits.allSatisfy(\.isHexDigit))

        try await client.store("boots", "products/boots?size=42")
        client.partition = "bert"
        try await client.store()
        disk.flush()

        #expect(disk.names.count == 3 && disk.names.contains(name))
        #expect(disk.names.filter { $0.hasPrefix(name.prefix(16)) }.count == 2)
    }

    // Rule: cache/files-are-atomic-and-private (52)
    @Test func `temporary files are removed, except those that another process writes`()
        async throws
    {
        let names = [UUID().uuidString, "mine"]
        let folder = try disk.makeFolder("ProductKit-cache-2", with: names)

        let client = disk.launch()
        for _ in 0..<3 { try await client.send(policy: .reload) { _ in .fresh() } }
        #expect(disk.names.count == 2 && disk.names.contains("mine"))
        try folder.appending(path: names[0]).write("half")
        try await client.store("hat", "products/hat")

        #expect(disk.names.count == 4 && Set(disk.names).isSuperset(of: names))
        #expect(client.cache.statistics.diskFailureCount == 0)
    }

    // Rule: cache/invalidation-precedes-return (43); cache/files-are-atomic-and-private (52)
    @Test func `a response that is removed while it is written leaves no file`() async throws {
        let client = disk.launch()
        let body = Data(count: 2 << 20)
        for round in 0..<60 {
            try await client.send { _ in NetworkResponse(headers: .fresh, body: body) }
            // Waits a little longer in each round, so that writing has progressed further.
            for _ in 0..<round * 20 { _ = client.requestCount }
            client.cache.make(.removed)
            try #require(disk.entryNames.isEmpty && disk.names.isEmpty, "round \(round)")
        }
    }

    // Rule: cache/invalidation-survives-restart (46); cache/files-are-atomic-and-private (52)
    @Test func `a response that is invalidated while it is written is invalidated in its file`()
        async throws
    {
        let client = disk.launch()
        let body = Data(count: 1 << 20)
        for round in 0..<20 {
            let path = "products/\(round)"
            try await client.send("GET", path) { _ in
                NetworkResponse(headers: .fresh, body: body)
            }
            for _ in 0..<round * 20 { _ = client.requestCount }
            client.cache.make(.invalidated, of: path)
            disk.flush()
        }

        let next = disk.launch()

        for round in 0..<20 {
            let response = try await next.send("GET", "products/\(round)", server: unreachable)
            #expect(response.source.code == .staleIfError, "round \(round)")
        }
        #expect(next.requestCount == 20)
    }

    /// A change of a response while it is read.
    enum Change: CaseIterable {
        case replaced, removed, cleared
    }

    // Rule: cache/change-ends-reads (67)
    @Test(arguments: Change.allCases)
    func `a response that is read from disk while it is replaced or removed is not found again`(
        change: Change
    ) async throws {
        // The old response fits into a quarter of memory, and the new one does not.
        let old = NetworkResponse(headers: .fresh, body: Data(count: 2 << 18))
        let new = NetworkResponse(
            statusCode: change == .removed ? 404 : 200,
            headers: change == .removed ? [:] : .fresh,
            body: Data(count: 3 << 18)
        )
        let cache = ResponseCache(byteLimit: 10 << 18, entryLimit: 1, directory: disk.directory)
        let client = CachedClient(cache: cache)
        // The reader has its own thread, so that it starts at once, whatever else runs.
        let executor = SerialTaskExecutor()
        for round in 0..<60 {
            try await client.send(policy: .reload) { _ in old }
            cache.flush()
            let reader = Mutex<Task<NetworkResponse, any Error>?>(nil)
            try await client.send(policy: .reload) { _ in
                // Removes the old response from memory, so that the reader needs the disk.
                try await client.send("GET", "other", policy: .reload) { _ in old }
                let (started, lookups) = (Counter(), client.lookupCount)
                reader.withLock {
                    $0 = Task(executorPreference: executor) {
                        started.next()
                        // Storing reads the disk, too: the reader starts later in each round.
                        for _ in 0..<round * 12 { _ = client.requestCount }
                        return try await client.send(policy: .cacheOnly)
                    }
                }
                spin { started.count > 0 }
                if change != .replaced { spin { client.lookupCount > lookups } }
                for _ in 0..<round { _ = client.requestCount }
                if change == .cleared { cache.removeAll() }
                return new
            }
            _ = try? await reader.withLock(\.self)?.value

            let found = try? await client.send(policy: .cacheOnly)

            let expected = change == .replaced ? new.body : nil
            try #require(found?.body == expected, "round \(round)")
        }
        cache.flush()
    }

    // Rule: cache/disk-is-limited (51); cache/files-are-atomic-and-private (52)
    // A large response fits only after the one that it replaces, and that is not written yet.
    @Test(arguments: [(100, 0), (10, 5 << 20)])
    func `the last one of many responses is stored`(count: Int, byteCount: Int) async throws {
        let client = disk.launch()
        for version in 1...count {
            try await client.send(policy: .reload) { _ in
                NetworkResponse(headers: .fresh, body: Data(count: byteCount + version))
            }
        }

        #expect(try await disk.launch().send().body.count == byteCount + count)
        #expect(disk.names.count == 1)
        #expect(client.cache.statistics.diskFailureCount == 0)
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test func `after a failure only a write tries to open the folder again`() async throws {
        try disk.directory.write("mine")
        let client = disk.launch(byteLimit: 0)

        for _ in 0..<3 { #expect(await client.sendsRequest()) }
        #expect(client.cache.statistics.diskFailureCount == 1)

        try FileManager.default.removeItem(at: disk.directory)
        try await client.store()
        #expect(disk.names.count == 1)
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test func `a folder that was deleted is created again and does not count as a failure`()
        async throws
    {
        let client = disk.launch()
        for gone in [disk.folder, disk.directory] {
            try await client.store("boots", "\(gone.lastPathComponent)/before")
            disk.flush()
            try FileManager.default.removeItem(at: gone)
            try await client.store("boots", "\(gone.lastPathComponent)/after")
            disk.flush()
            #expect(disk.names.count == 1)
        }
        #expect(client.cache.statistics.diskFailureCount == 0)
    }

    // Rule: cache/disk-failure-is-counted (55)
    @Test func `a file in place of the directory fails no request and is counted`() async throws {
        try disk.directory.write("mine")
        let client = disk.launch(byteLimit: 0)

        for _ in 0..<2 {
            try await client.store()
            disk.flush()
        }
        for change in [CacheChange.invalidated, .removed, .allRemoved] { client.cache.make(change) }
        #expect(try await client.send { _ in .text("boots") }.text == "boots")

        #expect(client.requestCount == 3)
        #expect(client.cache.statistics.diskFailureCount > 0)
        #expect(client.cache.statistics.diskByteCount == 0)
        #expect(client.cache.summaries().isEmpty)
        #expect(try disk.directory.text == "mine")
    }

    // Rule: cache/invalidation-survives-restart (46); cache/disk-failure-is-counted (55)
    @Test func `an invalidation while the directory is absent applies to its return`() async throws
    {
        try await disk.launch().store()
        disk.flush()
        let absent = disk.directory.appendingPathExtension("absent")
        try FileManager.default.moveItem(at: disk.directory, to: absent)
        try disk.directory.write("mine")
        let client = disk.launch(byteLimit: 0)
        client.cache.invalidateAll(partition: "")
        try FileManager.default.removeItem(at: disk.directory)
        try FileManager.default.moveItem(at: absent, to: disk.directory)

        // The first write opens the directory again.
        try await client.store("hat", "products/hat")
        disk.flush()

        #expect(await client.sendsRequest(policy: .cacheFirst))
        #expect(await disk.launch().sendsRequest(policy: .cacheFirst))
    }

    // Rule: cache/read-only-disk-loses-changes (69); cache/disk-failure-is-counted (55)
    @Test(.enabled(if: !OtherUser.isPermitted, "An administrator may write to every folder."))
    func `a response that cannot be removed is not found again`() async throws {
        let client = disk.launch(byteLimit: 0)
        try await client.store()
        disk.flush()
        try disk.folder.setPermissions(0o500)
        client.cache.make(.removed)
        try disk.folder.setPermissions(0o700)
        #expect(await client.sendsRequest(policy: .cacheFirst))

        try await client.store("hat", "products/hat")
        disk.flush()

        #expect(await client.sendsRequest(policy: .cacheFirst))
        #expect(disk.names.count == 1 && client.cache.statistics.diskFailureCount == 1)
    }

    // Rule: cache/sign-out-empties-the-cache (42); cache/disk-failure-is-counted (55)
    @Test(.enabled(if: !OtherUser.isPermitted, "An administrator may write to every folder."))
    func `a folder that cannot be renamed is emptied and used again`() async throws {
        let client = disk.launch()
        try await client.store()
        disk.flush()
        try disk.directory.setPermissions(0o500)
        defer { try? disk.directory.setPermissions(0o700) }

        client.cache.removeAll()
        #expect(disk.names.isEmpty && client.cache.statistics.diskFailureCount == 1)
        try await client.store("new")

        #expect(try await disk.launch().send(policy: .cacheOnly).text == "new")
        #expect(client.cache.statistics.diskFailureCount == 1)
    }

    /// Waits without giving up the thread, so that both tasks run at the same time.
    ///
    /// It gives up after a while, because there may be one core only.
    private func spin(until isDone: () -> Bool) {
        var attempts = 0
        while !isDone(), attempts < 200_000 { attempts += 1 }
    }
}
