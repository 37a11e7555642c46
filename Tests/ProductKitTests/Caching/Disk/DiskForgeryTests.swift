import Foundation
import ProductKit
import Testing

/// Files that were forged with a correct checksum.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DiskForgeryTests {
    @Test func `a forged file with a correct checksum is read`() async throws {
        try await withForgery { content in
            content.replaceSubrange(content.count - 5..<content.count, with: Data("shoes".utf8))
        } body: { client in
            let response = try await client.send(policy: .cacheFirst)
            #expect(response.text == "shoes")
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `a forged file with bytes after the last response is removed`() async throws {
        try await withForgery { content in
            content += Data(count: 3)
        } body: { client in
            #expect(await client.sendsRequest(policy: .cacheFirst))
            #expect(client.cache.statistics.diskFailureCount == 1)
        }
    }

    // Rule: cache/forged-file-does-no-harm (54); security/bad-file-is-not-used (30)
    @Test func `forged lengths never exceed the bytes that are left`() async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()
            let file = try disk.file()
            let intact = try Data(contentsOf: file)
            var generator = SeededGenerator(seed: 53)
            for place in Forgery.contentOffset..<intact.count - 3 {
                var content = intact.dropFirst(Forgery.contentOffset)
                let number = intact[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
                let numbers: [UInt32] = [
                    number &+ 1, number &- 1, 0, 7, 1_000, 0x7FFF_FFFF, .max,
                    .random(in: 0 ... .max, using: &generator),
                ]
                for number in numbers {
                    content.replaceSubrange(place..<place + 4, with: Forgery.bytes(of: number))
                    try Forgery.file(like: intact, content: content).write(to: file)

                    let client = disk.launch()
                    let response = try await client.send(policy: .cacheFirst)

                    #expect(response.statusCode == 599 || response.body.count < intact.count)
                }
            }
        }
    }

    // Rule: cache/forged-file-does-no-harm (54); security/bad-file-is-not-used (30)
    @Test func `random content with a correct checksum is removed`() async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()
            let file = try disk.file()
            let intact = try Data(contentsOf: file)
            var generator = SeededGenerator(seed: 54)
            for _ in 0..<500 {
                let count = Int.random(in: 0...400, using: &generator)
                let content = (0..<count).map { _ in
                    UInt8.random(in: 0 ... .max, using: &generator)
                        >> UInt8.random(in: 0...7, using: &generator)
                }
                try Forgery.file(like: intact, content: Data(content)).write(to: file)

                #expect(await disk.launch().sendsRequest(policy: .cacheFirst))
                #expect(disk.names.isEmpty)
            }
        }
    }

    /// Changes the content of a file, corrects its checksum, and launches the app again.
    private func withForgery(
        _ change: (inout Data) -> Void,
        body: (CachedClient) async throws -> Void
    ) async throws {
        try await TemporaryDisk.with { disk in
            try await disk.launch().store()
            let file = try disk.file()
            let intact = try Data(contentsOf: file)
            var content = Data(intact.dropFirst(Forgery.contentOffset))
            change(&content)
            try Forgery.file(like: intact, content: content).write(to: file)
            try await body(disk.launch())
        }
    }
}

/// The file format: sixteen bytes of type and mark, eight bytes of checksum, and the content.
private enum Forgery {
    static let contentOffset = 24

    static func file(like intact: Data, content: Data) -> Data {
        intact.prefix(16) + bytes(of: checksum(of: content)) + content
    }

    static func bytes(of number: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }

    private static func checksum(of data: Data) -> UInt64 {
        var rest = data[...]
        var sum = UInt64(data.count) &* 0xD6E8_FEB8_6659_FD93
        func mix(_ word: UInt64) {
            sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
            sum ^= sum >> 32
        }
        func word() -> UInt64 {
            rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        while rest.count >= 8 {
            mix(word())
            rest = rest.dropFirst(8)
        }
        mix(word())
        mix(sum >> 29)
        return sum
    }
}
