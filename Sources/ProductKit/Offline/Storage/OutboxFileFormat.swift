package import Foundation

/// The lines of an outbox's file: `LENGTH CHECKSUM payload`, and a line feed.
///
/// The length has 6 and the checksum 16 hexadecimal digits in lower case. A payload consists of
/// fields with tabs between them. In a field, `%` and the bytes up to 0x20 are written as `%xx`, so
/// a payload never contains a line feed. The payload of the first line is the header.
package enum OutboxFileFormat {
    /// The longest payload that is written.
    package static let payloadLimit = 65_536

    private static let prefixCount = 24
    private static let lineFeed = UInt8(ascii: "\n")

    /// Appends a line.
    ///
    /// - Returns: Whether the payload has at most ``payloadLimit`` bytes.
    @discardableResult
    package static func appendLine(
        to bytes: inout [UInt8],
        writePayload: (inout [UInt8]) -> Void
    ) -> Bool {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: prefixCount))
        writePayload(&bytes)
        let count = bytes.count - start - prefixCount
        let sum = bytes.withUnsafeBytes {
            UInt64.checksum(of: UnsafeRawBufferPointer(rebasing: $0[(start + prefixCount)...]))
        }
        write(UInt64(count), digits: 6, at: start, in: &bytes)
        write(sum, digits: 16, at: start + 7, in: &bytes)
        bytes.append(lineFeed)
        return count <= payloadLimit
    }

    private static func write(
        _ number: UInt64,
        digits: Int,
        at offset: Int,
        in bytes: inout [UInt8]
    ) {
        var rest = number
        for index in (offset..<(offset + digits)).reversed() {
            bytes[index] = hexadecimalDigit(rest & 0xF)
            rest >>= 4
        }
    }

    /// The parts of a file that could not be read.
    package struct Damage {
        /// Their bytes.
        package fileprivate(set) var bytes = Data()
        /// Whether there is only one part, at the end.
        package fileprivate(set) var isTorn = false
        /// Whether the file has to be written anew, if only because the last line feed is missing.
        package fileprivate(set) var needsRepair = false
        private var partCount = 0

        fileprivate mutating func add(_ range: Range<Int>, of file: UnsafeRawBufferPointer) {
            needsRepair = true
            if range.isEmpty { return }
            bytes.append(contentsOf: file[range])
            partCount += 1
            isTorn = partCount == 1 && range.upperBound == file.count
        }
    }

    /// Calls a closure with each payload whose checksum is correct, and the length of its line.
    ///
    /// After damage, reading continues with the next line. The time is linear: a payload does not
    /// contain a line feed, so its bytes are checked only if no line feed precedes its end.
    package static func readLines(
        of file: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer, Int) -> Void
    ) -> Damage {
        var damage = Damage()
        var start = 0
        var lineEnd = 0
        while start < file.count {
            if lineEnd <= start { lineEnd = endOfLine(from: start, in: file) }
            guard let payload = payload(at: start, before: lineEnd, in: file) else {
                let next = min(lineEnd + 1, file.count)
                damage.add(start..<next, of: file)
                start = next
                continue
            }
            body(UnsafeRawBufferPointer(rebasing: file[payload]), payload.upperBound + 1 - start)
            start = min(payload.upperBound + 1, file.count)
            // Something else is in place of the line feed. The next record may be intact.
            if payload.upperBound != lineEnd || lineEnd == file.count {
                damage.add(payload.upperBound..<start, of: file)
            }
        }
        return damage
    }

    /// The index of the next line feed, or the end of the file.
    private static func endOfLine(from start: Int, in file: UnsafeRawBufferPointer) -> Int {
        guard let base = file.baseAddress,
            let found = memchr(base + start, Int32(lineFeed), file.count - start)
        else { return file.count }
        return UnsafeRawPointer(found) - base
    }

    /// The range of the payload whose line begins at an index, if its checksum is correct.
    private static func payload(
        at start: Int,
        before lineEnd: Int,
        in file: UnsafeRawBufferPointer
    ) -> Range<Int>? {
        let first = start + prefixCount
        guard first <= lineEnd, file[start + 6] == UInt8(ascii: " "),
            file[start + 23] == UInt8(ascii: " "),
            let count = number(in: file[start..<(start + 6)]),
            let sum = number(in: file[(start + 7)..<(start + 23)]),
            count <= lineEnd - first
        else { return nil }
        let range = first..<(first + Int(count))
        let payload = UnsafeRawBufferPointer(rebasing: file[range])
        return UInt64.checksum(of: payload) == sum ? range : nil
    }

    /// The value of hexadecimal digits in lower case.
    private static func number(in digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            guard let value = hexadecimalValue(digit) else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }

    static func hexadecimalDigit(_ value: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: value) + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }

    static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// Writing and reading the fields of a payload.
extension OutboxFileFormat {
    /// Appends a tab and a text, with escapes.
    static func appendField(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\t"))
        for byte in text.utf8 {
            if byte > 0x20, byte != UInt8(ascii: "%") {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexadecimalDigit(UInt64(byte >> 4)))
                bytes.append(hexadecimalDigit(UInt64(byte & 0xF)))
            }
        }
    }

    /// The fields of a payload, in order.
    struct Fields {
        private var rest: UnsafeRawBufferPointer?

        init(_ payload: UnsafeRawBufferPointer) {
            rest = payload
        }

        /// Whether all fields were read.
        var isAtEnd: Bool { rest == nil }

        /// The bytes of the next field, without decoding escapes.
        mutating func nextBytes() -> UnsafeRawBufferPointer? {
            guard let rest else { return nil }
            guard let tab = rest.firstIndex(of: UInt8(ascii: "\t")) else {
                self.rest = nil
                return rest
            }
            self.rest = UnsafeRawBufferPointer(rebasing: rest[(tab + 1)...])
            return UnsafeRawBufferPointer(rebasing: rest[..<tab])
        }

        /// The text of the next field; `nil` if it is missing or not valid.
        mutating func nextText() -> String? {
            guard let bytes = nextBytes() else { return nil }
            guard bytes.contains(UInt8(ascii: "%")) else {
                return String(validating: bytes, as: UTF8.self)
            }
            var text: [UInt8] = []
            text.reserveCapacity(bytes.count)
            var index = 0
            while index < bytes.count {
                if bytes[index] != UInt8(ascii: "%") {
                    text.append(bytes[index])
                    index += 1
                    continue
                }
                guard index + 2 < bytes.count, let high = hexadecimalValue(bytes[index + 1]),
                    let low = hexadecimalValue(bytes[index + 2])
                else { return nil }
                text.append(high << 4 | low)
                index += 3
            }
            return String(validating: text, as: UTF8.self)
        }
    }
}
