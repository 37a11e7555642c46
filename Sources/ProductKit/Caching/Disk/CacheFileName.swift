/// What a file of the cache is called: 32 digits made of the user, the path and the query, and an
/// ending.
///
/// The name of an entry is found without looking, all queries of a path share its first half, and
/// nothing can be read from it. Two entries may have one name by chance; what is in the file decides.
struct CacheFileName: Hashable, Sendable {
    /// Made of the user and the address without its query.
    let path: UInt64
    /// Made of the query.
    let query: UInt64

    /// The name of the file of an entry.
    init(_ key: CacheKey) {
        let end = key.url.utf8.firstIndex(of: UInt8(ascii: "?")) ?? key.url.endIndex
        path = Self.path(key.url[..<end], partition: key.partition)
        query = .checksum(of: key.url[end...])
    }

    /// The name of a file by its halves.
    init(path: UInt64, query: UInt64) {
        self.path = path
        self.query = query
    }

    /// Reads a name; `nil` when the file is none of ours.
    init?(_ text: String) {
        guard let (path, query) = Self.halves(of: text, ending: Self.ending) else { return nil }
        self.path = path
        self.query = query
    }

    /// The first half of the names of all entries of a path.
    static func path(_ path: some StringProtocol, partition: String) -> UInt64 {
        .checksum(of: path, startingWith: .checksum(of: partition))
    }

    /// The name as the system wants it.
    var text: String { Self.text(path, query, Self.ending) }

    /// A new name for something that is not yet, or no longer, part of the cache.
    static func unique(ending: String, prefix: String = "") -> String {
        prefix + text(.random(in: 0 ... .max), .random(in: 0 ... .max), ending)
    }

    /// Whether a name is one that ``unique(ending:prefix:)`` makes.
    static func isUnique(_ text: String, ending: String, prefix: String = "") -> Bool {
        text.hasPrefix(prefix)
            && halves(of: String(text.dropFirst(prefix.count)), ending: ending) != nil
    }

    private static let ending = ".answer"
    private static let digits = Array("0123456789abcdef".utf8)

    private static func text(_ one: UInt64, _ other: UInt64, _ ending: String) -> String {
        String(unsafeUninitializedCapacity: 32 + ending.utf8.count) { text in
            for place in 0..<16 {
                let shift = UInt64(60 - 4 * place)
                text[place] = digits[Int(one >> shift & 15)]
                text[place + 16] = digits[Int(other >> shift & 15)]
            }
            for (place, byte) in zip(32..., ending.utf8) { text[place] = byte }
            return 32 + ending.utf8.count
        }
    }

    private static func halves(of text: String, ending: String) -> (UInt64, UInt64)? {
        let bytes = text.utf8
        guard bytes.count == 32 + ending.utf8.count, text.hasSuffix(ending) else { return nil }
        let values = bytes.prefix(32).map { digits.firstIndex(of: $0).map(UInt64.init) }
        guard !values.contains(nil) else { return nil }
        let halves = [values[..<16], values[16...]]
            .map { $0.reduce(0) { $0 << 4 | ($1 ?? 0) } }
        return (halves[0], halves[1])
    }
}

extension UInt64 {
    /// Mixes bytes, eight at a time, into a number by which they are told from others.
    ///
    /// Every step leads different numbers to different numbers. So bytes that differ in one group of
    /// eight only, as by a flipped bit, never give the same number; others do once in 2⁶⁴.
    static func checksum(
        of bytes: UnsafeRawBufferPointer,
        startingWith seed: UInt64 = 0
    ) -> UInt64 {
        var sum = seed ^ (UInt64(bytes.count) &* 0xD6E8_FEB8_6659_FD93)
        var offset = 0
        while bytes.count - offset >= 8 {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            sum.mix(UInt64(littleEndian: word))
            offset += 8
        }
        sum.mix(bytes[offset...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        sum.mix(sum >> 29)
        return sum
    }

    /// Mixes a text, for names.
    static func checksum(
        of text: some StringProtocol,
        startingWith seed: UInt64 = 0
    ) -> UInt64 {
        let sum = text.utf8.withContiguousStorageIfAvailable {
            checksum(of: UnsafeRawBufferPointer($0), startingWith: seed)
        }
        return sum ?? Array(text.utf8).withUnsafeBytes { checksum(of: $0, startingWith: seed) }
    }

    private mutating func mix(_ word: UInt64) {
        self = (self ^ word) &* 0x9E37_79B9_7F4A_7C15
        self ^= self >> 32
    }
}
