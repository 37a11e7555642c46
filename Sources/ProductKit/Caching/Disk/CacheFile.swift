import Foundation

/// One entry of the cache: a key, the responses for it, and their encoding as a file.
///
/// All numbers are little-endian. The file consists of:
///
/// | Bytes | Content |
/// |---|---|
/// | 8 | ``magic``: the file type and the version of the format |
/// | 8 | a ``Mark``; only these bytes change after the file is written |
/// | 8 | the checksum of the rest |
/// | rest | partition, URL, number of responses, and each response |
///
/// A response is its status code, two dates, whether it is invalidated, its header fields, its vary
/// fields and its body. Dates have eight bytes; other numbers after the checksum have four. Texts
/// and bodies begin with their length, lists of fields with their count.
///
/// Decoding verifies the checksum before it reads the content, and compares each length with the
/// number of bytes that are left.
struct CacheFile: Sendable {
    let key: CacheKey
    /// The responses: between one and eight.
    var responses: [StoredResponse]

    static let maximumVariants = 8
    /// Where the checksum ends and the content begins.
    static let contentOffset = 24
    static let markOffset = 8

    /// Whether the entry was invalidated as a whole.
    enum Mark: UInt64 {
        /// The bytes "current" and 1.
        case current = 0x0174_6E65_7272_7563
        /// The bytes "expired" and 1.
        case invalidated = 0x0164_6572_6970_7865
    }

    /// The bytes "ProdKit" and 1.
    private static let magic: UInt64 = 0x0174_694B_646F_7250
    private static let checksumOffset = 16
}

extension CacheFile {
    /// Decodes a file; `nil` if it is damaged or of another version.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = CacheFileReader(rest: bytes)
        guard reader.word() == Self.magic, let mark = reader.word().flatMap(Mark.init),
            let checksum = reader.word(), checksum == .checksum(of: reader.rest),
            let partition = reader.text(), let url = reader.text(),
            let count = reader.count(upTo: Self.maximumVariants), count > 0
        else { return nil }
        responses = []
        for _ in 0..<count {
            guard var response = reader.response() else { return nil }
            response.isInvalidated = response.isInvalidated || mark == .invalidated
            responses.append(response)
        }
        guard reader.rest.isEmpty else { return nil }
        key = CacheKey(partition: partition, url: url)
    }

    /// The first bytes of the content of an entry that belongs to a partition.
    static func start(ofPartition partition: String) -> Data {
        var data = Data()
        data.append(text: partition)
        return data
    }

    /// The size of the encoded file, computed without encoding it.
    var byteCount: Int {
        let header =
            Self.contentOffset + key.partition.encodedByteCount + key.url.encodedByteCount + 4
        return responses.reduce(header) { $0 + $1.encodedByteCount }
    }

    var data: Data {
        var data = Data()
        data.reserveCapacity(byteCount)
        data.append(word: Self.magic)
        data.append(word: Mark.current.rawValue)
        data.append(word: 0)
        data.append(text: key.partition)
        data.append(text: key.url)
        data.append(count: responses.count)
        for response in responses { data.append(response) }
        let checksum = data.withUnsafeBytes {
            UInt64.checksum(of: UnsafeRawBufferPointer(rebasing: $0[Self.contentOffset...]))
        }
        withUnsafeBytes(of: checksum.littleEndian) {
            data.replaceSubrange(Self.checksumOffset..<Self.contentOffset, with: $0)
        }
        return data
    }
}

extension StoredResponse {
    fileprivate var encodedByteCount: Int {
        let header = headers.reduce(4) {
            $0 + $1.name.encodedByteCount + $1.value.encodedByteCount
        }
        let vary = varyFields.reduce(4) {
            $0 + $1.key.encodedByteCount + $1.value.encodedByteCount
        }
        return 24 + header + vary + 4 + body.count
    }
}

extension String {
    fileprivate var encodedByteCount: Int { 4 + utf8.count }
}

extension Data {
    fileprivate mutating func append(_ response: StoredResponse) {
        append(count: response.statusCode)
        append(word: response.requestedAt.timeIntervalSinceReferenceDate.bitPattern)
        append(word: response.receivedAt.timeIntervalSinceReferenceDate.bitPattern)
        append(count: response.isInvalidated ? 1 : 0)
        append(response.headers.map { ($0.name, $0.value) })
        append(response.varyFields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        append(count: response.body.count)
        append(response.body)
    }

    private mutating func append(_ fields: [(String, String)]) {
        append(count: fields.count)
        for (name, value) in fields {
            append(text: name)
            append(text: value)
        }
    }

    fileprivate mutating func append(text: String) {
        append(count: text.utf8.count)
        append(contentsOf: text.utf8)
    }

    fileprivate mutating func append(count: Int) {
        Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: count).littleEndian) {
            append(contentsOf: $0)
        }
    }

    fileprivate mutating func append(word: UInt64) {
        Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: $0) }
    }
}

/// Reads the parts of a file in order.
///
/// Each method returns `nil` at the end of the file, or if the bytes are not valid.
private struct CacheFileReader {
    /// The bytes that are not read yet.
    var rest: UnsafeRawBufferPointer

    /// Reads a number of eight bytes.
    mutating func word() -> UInt64? { number() }

    /// Reads a number of four bytes; `nil` if it exceeds a limit.
    mutating func count(upTo limit: Int) -> Int? {
        guard let count: UInt32 = number(), count <= limit else { return nil }
        return Int(count)
    }

    mutating func text() -> String? {
        bytes().map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func response() -> StoredResponse? {
        guard let status = count(upTo: 599), status >= 100,
            let requestedAt = date(), let receivedAt = date(),
            let isInvalidated = count(upTo: 1),
            let headers = fields(), let vary = fields(), let body = bytes()
        else { return nil }
        return StoredResponse(
            statusCode: status,
            headers: NetworkHeaders(headers),
            body: body.baseAddress.map { Data(bytes: $0, count: body.count) } ?? Data(),
            varyFields: Dictionary(vary.map { ($0.name, $0.value) }) { _, last in last },
            requestedAt: requestedAt,
            receivedAt: receivedAt,
            isInvalidated: isInvalidated == 1
        )
    }

    private mutating func fields() -> [(name: String, value: String)]? {
        guard let count = count(upTo: NetworkHeaders.maximumCount) else { return nil }
        var fields: [(name: String, value: String)] = []
        // A field takes at least eight bytes. So a forged count cannot reserve much memory.
        fields.reserveCapacity(min(count, rest.count / 8))
        for _ in 0..<count {
            guard let name = text(), let value = text() else { return nil }
            fields.append((name, value))
        }
        return fields
    }

    /// Reads a date; `nil` if calculations with it could overflow.
    private mutating func date() -> Date? {
        let seconds = word().map { Double(bitPattern: $0) }
        guard let seconds, seconds.isFinite else { return nil }
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        return (Date.distantPast...Date.distantFuture).contains(date) ? date : nil
    }

    private mutating func bytes() -> UnsafeRawBufferPointer? {
        guard let count = count(upTo: .max), count <= rest.count else { return nil }
        return take(count)
    }

    private mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        return Number(littleEndian: take(size).loadUnaligned(as: Number.self))
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }
}
