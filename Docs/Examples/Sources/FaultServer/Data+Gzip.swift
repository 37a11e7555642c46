import Foundation

extension Data {
    /// Returns the bytes in the gzip format (RFC 1952), stored without compression.
    static func gzip(_ bytes: Data) -> Data {
        let length = UInt16(bytes.count)
        return gzipHead + [0x01] + littleEndian(length) + littleEndian(~length) + bytes
            + littleEndian(crc32(bytes)) + littleEndian(UInt32(bytes.count))
    }

    /// Returns zeros in the gzip format, compressed to less than a hundredth.
    static func gzip(zeros count: Int) -> Data {
        gzip(period: 1, of: Data(count: 1), count: count)
    }

    /// Returns periodic bytes in the gzip format, compressed to less than a hundredth.
    ///
    /// The checksum at the end is missing. The data is one block with fixed Huffman codes
    /// (RFC 1951 §3.2.6): the first 40 bytes as literals, then copies of 258 bytes from a distance of
    /// 1 or 13.
    ///
    /// - Parameters:
    ///   - period: The period of the bytes, 1 or 13.
    ///   - bytes: The bytes. Only the first 40 of them and their number are used.
    ///   - count: The number of bytes, by default that of `bytes`.
    /// - Returns: The compressed bytes.
    static func gzip(period: Int, of bytes: Data, count: Int? = nil) -> Data {
        let beginning = bytes.prefix(40)
        let copy = period == 1 ? "1100010100000" : "110001010011100"
        var bits = BitWriter()
        bits.write("110")
        for byte in beginning { bits.write(literal: byte) }
        for _ in 0..<24 { bits.write(copy) }
        // Eight copies fill whole bytes, so the rest repeats the bytes written last.
        let start = bits.bytes.dropLast()
        let rounds = ((count ?? bytes.count) / 258 - 24) / 8
        let rest = repeatElement(start.suffix(copy.utf8.count), count: rounds).joined()
        return gzipHead + start + Data(rest)
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

/// A writer that fills each byte from its lowest bit upwards, as DEFLATE requires.
private struct BitWriter {
    private(set) var bytes = Data()
    private var free = 0

    /// Writes the fixed Huffman code of a byte.
    mutating func write(literal byte: UInt8) {
        let (code, length) = byte < 144 ? (0x30 + Int(byte), 8) : (0x190 + Int(byte) - 144, 9)
        for place in (0..<length).reversed() { write(code >> place & 1 == 1 ? "1" : "0") }
    }

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
