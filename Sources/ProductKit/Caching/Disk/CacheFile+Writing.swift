import Foundation

extension CacheFile {
    /// How many bytes the file takes; `nil` when a file cannot hold this.
    ///
    /// It is counted, not tried: nothing is copied.
    var size: Int? {
        guard (1...Self.maximumVariants).contains(responses.count),
            responses.allSatisfy(\.fitsIntoFile)
        else { return nil }
        let size = responses.reduce(
            Self.contentOffset + key.scope.sizeInFile + key.url.sizeInFile + 4
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
        data.append(text: key.scope)
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
            && selectingFields.count <= CacheFile.maximumFields
            && headers.allSatisfy { $0.name.isLine && $0.value.isLine }
            && selectingFields.allSatisfy { $0.key.isLine && $0.value.isLine }
    }

    fileprivate var sizeInFile: Int {
        let fields = headers.reduce(4) { $0 + $1.name.sizeInFile + $1.value.sizeInFile }
        let selecting = selectingFields.reduce(4) { $0 + $1.key.sizeInFile + $1.value.sizeInFile }
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
        append(count: response.isExpired ? 1 : 0)
        append(response.headers.map { ($0.name, $0.value) })
        append(response.selectingFields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
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
