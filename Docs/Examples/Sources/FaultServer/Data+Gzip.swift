import Foundation

extension Data {
    /// Packs bytes (RFC 1952) as they are, which a client must unpack nevertheless.
    static func gzip(_ bytes: Data) -> Data {
        let length = UInt16(bytes.count)
        return gzipHead + [0x01] + littleEndian(length) + littleEndian(~length) + bytes
            + littleEndian(crc32(bytes)) + littleEndian(UInt32(bytes.count))
    }

    /// Packs zeros a thousand to one; the checksum at the end is left out.
    ///
    /// One block with fixed codes (RFC 1951 §3.2.6): a zero, then copies of 258 bytes at distance 1.
    static func gzip(zeros count: Int) -> Data {
        var bits = BitWriter()
        bits.write("1" + "10" + "00110000")
        for _ in 0..<count / 258 { bits.write("11000101" + "00000") }
        bits.write("0000000")
        return gzipHead + bits.bytes
    }

    private static let gzipHead = Data([0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0xFF])

    private static func littleEndian(_ value: some FixedWidthInteger) -> Data {
        Swift.withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }

    private static func crc32(_ bytes: Data) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}

/// Fills bytes from their lowest bit upwards, as DEFLATE does.
private struct BitWriter {
    private(set) var bytes = Data()
    private var free = 0

    mutating func write(_ bits: String) {
        for bit in bits.utf8 {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            if bit == UInt8(ascii: "1") { bytes[bytes.endIndex - 1] |= 1 << (8 - free) }
            free -= 1
        }
    }
}
