import Foundation
import ProductKit
import Testing

/// A file that somebody has made, with a checksum that is right.
@Suite(.timeLimit(.minutes(5))) struct DiskForgeryTests {
    @Test func `a forged file with the right checksum is read, so that forging is tried at all`()
        async throws
    {
        try await withForgery { content in
            content.replaceSubrange(content.count - 5..<content.count, with: Data("shoes".utf8))
        } body: { shop in
            let answer = try await shop.send(policy: .cacheFirst)
            #expect(answer.text == "shoes")
        }
    }

    // Rule: cache/damaged-file-is-removed (53)
    @Test func `bytes after the last answer are not believed`() async throws {
        try await withForgery { content in
            content += Data(count: 3)
        } body: { shop in
            #expect(await shop.sendsRequest(policy: .cacheFirst))
            #expect(shop.cache.statistics.diskFailureCount == 1)
        }
    }

    // Rule: cache/forged-file-does-no-harm (54); security/bad-file-is-not-used (30)
    @Test func `forged lengths are compared with what is left`() async throws {
        try await Disk.with { disk in
            try await disk.run().store()
            let file = try disk.file()
            let sound = try Data(contentsOf: file)
            var generator = SeededGenerator(seed: 53)
            for place in Forgery.contentOffset..<sound.count - 3 {
                var content = sound.dropFirst(Forgery.contentOffset)
                let number = sound[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
                let numbers: [UInt32] = [
                    number &+ 1, number &- 1, 0, 7, 1_000, 0x7FFF_FFFF, .max,
                    .random(in: 0 ... .max, using: &generator),
                ]
                for number in numbers {
                    content.replaceSubrange(place..<place + 4, with: Forgery.bytes(of: number))
                    try Forgery.file(like: sound, content: content).write(to: file)

                    let shop = disk.run()
                    let answer = try await shop.send(policy: .cacheFirst)

                    #expect(answer.statusCode == 599 || answer.body.count < sound.count)
                }
            }
        }
    }

    // Rule: cache/forged-file-does-no-harm (54); security/bad-file-is-not-used (30)
    @Test func `random content with the right checksum harms nobody`() async throws {
        try await Disk.with { disk in
            try await disk.run().store()
            let file = try disk.file()
            let sound = try Data(contentsOf: file)
            var generator = SeededGenerator(seed: 54)
            for _ in 0..<500 {
                let count = Int.random(in: 0...400, using: &generator)
                let content = (0..<count).map { _ in
                    UInt8.random(in: 0 ... .max, using: &generator)
                        >> UInt8.random(in: 0...7, using: &generator)
                }
                try Forgery.file(like: sound, content: Data(content)).write(to: file)

                #expect(await disk.run().sendsRequest(policy: .cacheFirst))
                #expect(disk.names.isEmpty)
            }
        }
    }

    /// Changes what the checksum is of, corrects it, and begins another run.
    private func withForgery(
        _ change: (inout Data) -> Void,
        body: (CachedClient) async throws -> Void
    ) async throws {
        try await Disk.with { disk in
            try await disk.run().store()
            let file = try disk.file()
            let sound = try Data(contentsOf: file)
            var content = Data(sound.dropFirst(Forgery.contentOffset))
            change(&content)
            try Forgery.file(like: sound, content: content).write(to: file)
            try await body(disk.run())
        }
    }
}

/// How a file is put together: sixteen bytes of marks, a checksum of eight, the content.
private enum Forgery {
    static let contentOffset = 24

    static func file(like sound: Data, content: Data) -> Data {
        sound.prefix(16) + bytes(of: checksum(of: content)) + content
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
