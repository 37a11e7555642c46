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
