import Foundation
import ProductKit
import Synchronization
import Testing

/// Reading files while the cache changes, and with a memory that holds less than the disk.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskReadingTests {
    /// A change of a response while it is read.
    enum Change {
        case replaced, removed, cleared
    }

    // Rule: cache/change-ends-reads (67)
    @Test(arguments: [Change.replaced, .removed, .cleared])
    func `a response that is read from disk while it is replaced or removed is not found again`(
        change: Change
    ) async throws {
        try await TemporaryDisk.with { disk in
            // The old response fits into a quarter of memory, and the new one does not.
            let fresh: NetworkHeaders = ["Cache-Control": "max-age=60"]
            let old = NetworkResponse(headers: fresh, body: Data(count: 2 << 18))
            let new = NetworkResponse(
                statusCode: change == .removed ? 404 : 200,
                headers: change == .removed ? [:] : fresh,
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
                    let (started, misses) = (Counter(), cache.statistics.misses)
                    reader.withLock {
                        $0 = Task(executorPreference: executor) {
                            started.next()
                            // Storing reads the disk, too: the reader starts later in each round.
                            for _ in 0..<round * 12 { _ = cache.statistics }
                            return try await client.send(policy: .cacheOnly)
                        }
                    }
                    spin { started.count > 0 }
                    if change != .replaced { spin { cache.statistics.misses > misses } }
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
    }

    // Rule: cache/eight-variants (20)
    @Test(arguments: [0, 4_000, 64 << 20])
    func `eight variants are stored on disk, however small the memory is`(
        byteLimit: Int
    ) async throws {
        try await TemporaryDisk.with { disk in
            let client = disk.launch(byteLimit: byteLimit)
            let modes = (0...8).map { String(repeating: "\($0)", count: 400) }
            for mode in modes {
                try await client.store(
                    mode,
                    headers: ["X-Mode": mode],
                    responseHeaders: ["Cache-Control": "max-age=60", "Vary": "X-Mode"]
                )
            }

            for later in [client, disk.launch(byteLimit: byteLimit)] {
                let requestCount = later.requestCount
                #expect(later.cache.summaries().count == 8)
                for mode in modes.dropFirst() {
                    let response = try await later.send(headers: ["X-Mode": mode])
                    #expect(response.text == mode)
                }
                #expect(later.requestCount == requestCount)
                #expect(await later.sendsRequest(headers: ["X-Mode": modes[0]]))
            }
        }
    }

    /// Waits without giving up the thread, so that both tasks run at the same time.
    ///
    /// It gives up after a while, because there may be one core only.
    private func spin(until isDone: () -> Bool) {
        var attempts = 0
        while !isDone(), attempts < 200_000 { attempts += 1 }
    }
}
