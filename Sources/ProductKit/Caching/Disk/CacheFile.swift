import Foundation

/// One entry of the cache as a file holds it: whose it is, its address and up to eight answers.
///
/// Sixteen bytes say that it is ours, in which version, and whether a mutation has made all of it
/// old; these alone change once the file is written. Then comes a checksum of all the rest, then
/// the rest. A file that is anything else is no entry: nothing in it is believed before the checksum
/// is right, and no length in it before it is compared with what is left of the file.
struct CacheFile: Hashable, Sendable {
    /// What the entry is found by.
    let key: CacheKey
    /// The answers, between one and eight.
    var responses: [StoredResponse]

    /// The most answers that an entry has.
    static let maximumVariants = 8
    /// The most fields that an answer has.
    static let maximumFields = 1_000
    /// The moments that are believed; a calculation with one further away could fail.
    static let moments = Date.distantPast...Date.distantFuture

    /// How a file begins.
    enum Mark: UInt64 {
        /// "current", read backwards.
        case current = 0x0174_6E65_7272_7563
        /// "expired", read backwards.
        case expired = 0x0164_6572_6970_7865

        /// Where in the file it is.
        static let offset = 8
    }

    /// "ProdKit" and the version, read backwards.
    static let magic: UInt64 = 0x0174_694B_646F_7250
    /// Where the checksum of all that follows it is.
    static let checksumOffset = 16
    /// Where the rest begins.
    static let contentOffset = 24
}

extension CacheFile {
    /// Reads a file; `nil` for anything that ``data`` has not made.
    init?(_ data: Data) {
        guard let file = data.withUnsafeBytes({ CacheFile($0) }) else { return nil }
        self = file
    }

    /// Reads a file that lies in memory; bodies are copied out of it once.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = CacheFileReader(bytes)
        guard reader.word() == Self.magic, let mark = reader.word().flatMap(Mark.init),
            let checksum = reader.word(), checksum == .checksum(of: reader.rest),
            let partition = reader.text(), let url = reader.text(),
            let count = reader.count(upTo: Self.maximumVariants), count > 0
        else { return nil }
        responses = []
        for _ in 0..<count {
            guard var response = reader.response() else { return nil }
            response.isInvalidated = response.isInvalidated || mark == .expired
            responses.append(response)
        }
        guard reader.rest.isEmpty else { return nil }
        key = CacheKey(partition: partition, url: url)
    }
}

extension CacheFile {
    /// How many bytes the file takes; `nil` when a file cannot hold this.
    ///
    /// It is counted, not tried: nothing is copied.
    var size: Int? {
        guard (1...Self.maximumVariants).contains(responses.count),
            responses.allSatisfy(\.fitsIntoFile)
        else { return nil }
        let size = responses.reduce(
            Self.contentOffset + key.partition.sizeInFile + key.url.sizeInFile + 4
        ) {
            $0 + $1.sizeInFile
        }
        return size <= Int32.max ? size : nil
    }

    /// The file; call it only when there is a ``size``.
    var data: Data {
        var data = Data()
        data.reserveCapacity(size ?? 0)
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
    fileprivate var fitsIntoFile: Bool {
        (100...599).contains(statusCode)
            && [requestedAt, receivedAt].allSatisfy(CacheFile.moments.contains)
            && headers.reduce(0) { count, _ in count + 1 } <= CacheFile.maximumFields
            && varyFields.count <= CacheFile.maximumFields
            && headers.allSatisfy { $0.name.isLine && $0.value.isLine }
            && varyFields.allSatisfy { $0.key.isLine && $0.value.isLine }
    }

    fileprivate var sizeInFile: Int {
        let fields = headers.reduce(4) { $0 + $1.name.sizeInFile + $1.value.sizeInFile }
        let selecting = varyFields.reduce(4) { $0 + $1.key.sizeInFile + $1.value.sizeInFile }
        return 24 + fields + selecting + 4 + body.count
    }
}

extension String {
    fileprivate var sizeInFile: Int { 4 + utf8.count }
    fileprivate var isLine: Bool { utf8.allSatisfy(\.mayStandInField) }
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
            let isInvalidated = count(upTo: 1),
            let headers = fields(), let selecting = fields(), let body = bytes()
        else { return nil }
        return StoredResponse(
            statusCode: status,
            headers: NetworkHeaders(headers),
            body: body.baseAddress.map { Data(bytes: $0, count: body.count) } ?? Data(),
            varyFields: Dictionary(selecting.map { ($0.name, $0.value) }) { _, last in last },
            requestedAt: requestedAt,
            receivedAt: receivedAt,
            isInvalidated: isInvalidated == 1
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
