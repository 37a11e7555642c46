import Foundation

/// Reads the parts of a cache's file one after the other, and never more than there is.
struct CacheFileReader {
    /// What has not been read yet.
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    /// The next number of eight bytes.
    mutating func word() -> UInt64? {
        number().map { UInt64(littleEndian: $0) }
    }

    /// The next number of four bytes, unless it is greater than a limit.
    mutating func count(upTo limit: Int) -> Int? {
        guard let count: UInt32 = number() else { return nil }
        let value = Int(UInt32(littleEndian: count))
        return value <= limit ? value : nil
    }

    /// The next text; its length comes first.
    mutating func text() -> String? {
        bytes().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The next answer.
    mutating func response() -> StoredResponse? {
        guard let status = count(upTo: 599), status >= 100,
            let requestedAt = moment(), let receivedAt = moment(),
            let isExpired = count(upTo: 1),
            let headers = fields(), let selecting = fields(), let body = bytes()
        else { return nil }
        return StoredResponse(
            statusCode: status,
            headers: NetworkHeaders(headers),
            body: body.baseAddress.map { Data(bytes: $0, count: body.count) } ?? Data(),
            selectingFields: Dictionary(selecting.map { ($0.name, $0.value) }) { _, last in last },
            requestedAt: requestedAt,
            receivedAt: receivedAt,
            isExpired: isExpired == 1
        )
    }

    private mutating func fields() -> [(name: String, value: String)]? {
        guard let count = count(upTo: CacheFile.maximumFields) else { return nil }
        var fields: [(name: String, value: String)] = []
        // A field takes eight bytes at least, so that a count alone reserves no memory to speak of.
        fields.reserveCapacity(min(count, rest.count / 8))
        for _ in 0..<count {
            guard let name = line(), let value = line() else { return nil }
            fields.append((name, value))
        }
        return fields
    }

    /// A text without line breaks and other control characters, which no field may have.
    private mutating func line() -> String? {
        guard let bytes = bytes(), bytes.allSatisfy(\.mayStandInField) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func moment() -> Date? {
        let seconds = word().map { Double(bitPattern: $0) }
        guard let seconds, seconds.isFinite else { return nil }
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        return CacheFile.moments.contains(date) ? date : nil
    }

    private mutating func bytes() -> UnsafeRawBufferPointer? {
        guard let count = count(upTo: .max), count <= rest.count else { return nil }
        return take(count)
    }

    private mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        return take(size).loadUnaligned(as: Number.self)
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }
}

extension UInt8 {
    /// Whether a byte may be part of a field's name or value.
    var mayStandInField: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
