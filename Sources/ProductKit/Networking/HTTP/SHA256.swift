/// The hash function SHA-256 (FIPS 180-4).
///
/// The library has no dependencies, and Foundation has no hash function on all platforms.
package enum SHA256 {
    /// Returns the digest of a message as 64 lowercase hexadecimal digits.
    ///
    /// The time is proportional to the length of the message.
    package static func hexadecimalDigest(of message: some Sequence<UInt8>) -> String {
        let bytes = padded(Array(message))
        var digest = initialDigest
        var schedule = Array(repeating: UInt32(0), count: 64)
        for start in stride(from: 0, to: bytes.count, by: 64) {
            expand(bytes, from: start, into: &schedule)
            compress(schedule, into: &digest)
        }
        return digest.map(\.hexadecimalDigits).joined()
    }

    /// Appends a one bit, zeros and the length in bits, so that the length is a multiple of 64
    /// bytes (§5.1.1).
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        var bytes = message
        bytes.append(0x80)
        bytes.append(contentsOf: repeatElement(0, count: (119 - message.count % 64) % 64))
        let bitCount = UInt64(message.count) * 8
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: bitCount >> shift))
        }
        return bytes
    }

    /// Prepares the message schedule of one block (§6.2.2, step 1).
    private static func expand(_ bytes: [UInt8], from start: Int, into schedule: inout [UInt32]) {
        for index in 0..<16 {
            let first = start + index * 4
            schedule[index] =
                UInt32(bytes[first]) << 24 | UInt32(bytes[first + 1]) << 16
                | UInt32(bytes[first + 2]) << 8 | UInt32(bytes[first + 3])
        }
        for index in 16..<64 {
            let (first, last) = (schedule[index - 15], schedule[index - 2])
            let sigma0 = first.rotated(7) ^ first.rotated(18) ^ first >> 3
            let sigma1 = last.rotated(17) ^ last.rotated(19) ^ last >> 10
            schedule[index] = schedule[index - 16] &+ sigma0 &+ schedule[index - 7] &+ sigma1
        }
    }

    /// Adds one block to the digest (§6.2.2, steps 2 to 4).
    private static func compress(_ schedule: [UInt32], into digest: inout [UInt32]) {
        var (a, b, c, d) = (digest[0], digest[1], digest[2], digest[3])
        var (e, f, g, h) = (digest[4], digest[5], digest[6], digest[7])
        for index in 0..<64 {
            let sigma1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let choice = e & f ^ ~e & g
            let first = h &+ sigma1 &+ choice &+ constants[index] &+ schedule[index]
            let sigma0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let majority = a & b ^ a & c ^ b & c
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ sigma0 &+ majority)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { digest[index] &+= value }
    }

    /// The first 32 bits of the fractional parts of the square roots of the first 8 primes
    /// (§5.3.3).
    private static let initialDigest: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
        0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2).
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5,
        0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3,
        0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC,
        0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
        0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13,
        0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3,
        0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5,
        0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208,
        0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

extension UInt32 {
    /// Returns the bits rotated to the right.
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }

    fileprivate var hexadecimalDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
