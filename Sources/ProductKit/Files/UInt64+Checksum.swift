extension UInt64 {
    /// Computes a checksum, eight bytes at a time.
    ///
    /// Each step maps different numbers to different numbers. So a change within one group of eight
    /// bytes, such as a flipped bit, always changes the checksum. One in 2⁶⁴ other changes does
    /// not.
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

    /// Computes the checksum of a text.
    static func checksum(
        of text: some StringProtocol,
        startingWith seed: UInt64 = 0
    ) -> UInt64 {
        let sum = text.utf8.withContiguousStorageIfAvailable {
            checksum(of: UnsafeRawBufferPointer($0), startingWith: seed)
        }
        return sum ?? Array(text.utf8).withUnsafeBytes { checksum(of: $0, startingWith: seed) }
    }

    /// The number in 16 hexadecimal digits.
    var hexadecimalDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private mutating func mix(_ word: UInt64) {
        self = (self ^ word) &* 0x9E37_79B9_7F4A_7C15
        self ^= self >> 32
    }
}
