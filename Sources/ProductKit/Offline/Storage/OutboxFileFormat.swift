package import Foundation

/// The lines of an outbox's file: a checksum, a space and a record, with a line feed at both ends.
///
/// The checksum is that of the record, in 16 hexadecimal digits. The record is a JSON object, which
/// contains no line feed. Because each line begins and ends with a line feed, a byte that is changed,
/// also into or from a line feed, damages only its own line.
package enum OutboxFileFormat {
    private static let lineFeed = UInt8(ascii: "\n")

    package static func appendLine(_ record: Data, to file: inout Data) {
        file.append(lineFeed)
        file.append(contentsOf: checksum(of: record))
        file.append(record)
        file.append(lineFeed)
    }

    /// The lines of a file that could not be read.
    package struct Damage {
        /// The lines, with line feeds between them.
        package fileprivate(set) var bytes = Data()
        /// Whether there is only one such line, at the end.
        package fileprivate(set) var isTorn = false
    }

    /// Calls a closure with each record whose checksum is correct, and the length of its line.
    package static func readLines(of file: Data, _ body: (Data, Int) -> Void) -> Damage {
        var damage = Damage()
        var rest = file[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: lineFeed) ?? rest.endIndex
            let line = rest[..<end]
            rest = rest[end...].dropFirst()
            if line.isEmpty { continue }
            let record = line.dropFirst(checksumLength)
            if !record.isEmpty, line.prefix(checksumLength) == checksum(of: record) {
                damage.isTorn = false
                body(record, line.count + 2)
            } else {
                damage.isTorn = damage.bytes.isEmpty
                if !damage.bytes.isEmpty { damage.bytes.append(lineFeed) }
                damage.bytes.append(line)
            }
        }
        return damage
    }

    /// The number of digits, and the space.
    private static let checksumLength = 17

    private static func checksum(of record: Data) -> Data {
        let sum = record.withUnsafeBytes { UInt64.checksum(of: $0) }
        return Data((sum.hexadecimalDigits + " ").utf8)
    }
}
