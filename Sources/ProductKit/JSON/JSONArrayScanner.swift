import Foundation

/// An incremental scanner that finds the elements of one JSON array in a text.
///
/// The text arrives in chunks that may be split at any byte. The scanner recognizes only strings,
/// brackets, commas and the member names that lead to the array; a decoder checks the rest. It
/// holds the elements of one batch and the text around the array, but not the whole array:
///
/// 1. In the objects around the array, it looks for the next name of the path and collects the text
///    in a `JSONEnvelope`.
/// 2. In the array, it collects the elements in an `UndecodedBatch`, which it returns when it is
///    full.
/// 3. After the array, it collects the rest of the objects, and checks that they are valid JSON.
struct JSONArrayScanner: Sendable {
    /// The position of the next byte in the grammar of the text.
    private enum State {
        case beforeText
        // In an object around the array:
        case beforeName, name, afterName(isMatch: Bool), beforeValue(isMatch: Bool), skippedValue
        // In the array:
        case beforeElement(isFirst: Bool), element
        case afterArray, afterText
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The names of the members that lead from the outermost object to the array.
    private let path: [String]
    /// The maximum number of bytes of one element, and of the text around the array.
    private let maximumSize: Int
    private var state = State.beforeText
    private var nesting = JSONNesting()
    private var envelope = JSONEnvelope()
    private var batch = UndecodedBatch()
    /// The number of bytes of a byte order mark that have been scanned.
    private var markLength = 0
    /// The number of bytes in previous chunks.
    private var scannedSize = 0

    init(path: [String], maximumSize: Int) {
        self.path = path
        self.maximumSize = maximumSize
    }

    /// Scans a chunk to its end or until a batch is full.
    ///
    /// - Parameters:
    ///   - chunk: The current chunk of the text.
    ///   - position: The position in the chunk at which to continue; on return, the position after
    ///     the last scanned byte.
    /// - Returns: A full batch, or `nil` at the end of the chunk.
    /// - Throws: ``JSONElementsError``. The scanner cannot continue after an error.
    mutating func scan(
        _ chunk: Data,
        from position: inout Int
    ) throws(JSONElementsError) -> UndecodedBatch? {
        let end = chunk.count
        while position < end {
            do {
                position = try step(in: chunk, from: position)
            } catch {
                throw self.error(error.reason, at: error.position)
            }
            if batch.isFull { return batch.take() }
        }
        scannedSize += end
        return nil
    }

    /// Ends the text, and checks that it is complete.
    mutating func finish() throws(JSONElementsError) {
        switch state {
        case .afterText: break
        case .beforeText: throw error(.noArray)
        default: throw error(.unexpectedEnd)
        }
    }

    /// Returns the complete elements that are not in a returned batch, or `nil` if there are none.
    mutating func takeRemainingElements() -> UndecodedBatch? {
        batch.isEmpty ? nil : batch.take()
    }

    /// Returns the error for a file that cannot be read beyond the scanned chunks.
    func error(reading file: String, _ underlying: any Error) -> JSONElementsError {
        error(.unreadableFile(name: file), underlying: underlying)
    }

    private func error(
        _ reason: JSONElementsError.Reason,
        at position: Int = 0,
        underlying: (any Error)? = nil
    ) -> JSONElementsError {
        JSONElementsError(
            reason,
            index: batch.nextIndex,
            offset: scannedSize + position,
            underlying: underlying
        )
    }

    /// Scans at least one byte, and returns the next position.
    private mutating func step(
        in chunk: Data,
        from start: Int
    ) throws(JSONScanError) -> Int {
        let bytes = chunk.bytes
        let byte = bytes[start]
        switch state {
        case .beforeText:
            try begin(with: byte, at: start)
        case .beforeElement, .afterText:
            guard !byte.isJSONWhitespace else { return bytes.skippingWhitespace(from: start) }
            return try beginElement(with: byte, at: start)
        case .element:
            return try element(in: chunk, bytes, from: start)
        case .beforeName, .name, .afterName, .beforeValue, .skippedValue, .afterArray:
            return try stepInEnvelope(in: chunk, bytes, from: start)
        }
        return start + 1
    }

    /// Scans one byte before the outermost bracket: a byte order mark, whitespace or the bracket.
    private mutating func begin(
        with byte: UInt8,
        at position: Int
    ) throws(JSONScanError) {
        let mark = Self.byteOrderMark
        if markLength < 3, scannedSize + position == markLength, byte == mark[markLength] {
            markLength += 1
            return
        }
        let isMarkComplete = markLength == 0 || markLength == 3
        guard !byte.isJSONWhitespace || !isMarkComplete else { return }
        guard isMarkComplete, byte == (path.isEmpty ? .openBracket : .openBrace) else {
            throw JSONScanError(reason: .noArray, position: position)
        }
        try nesting.open(byte, at: position)
        if path.isEmpty {
            state = .beforeElement(isFirst: true)
        } else {
            envelope.openObject()
            state = .beforeName
        }
    }

    /// Returns the position at which to stop in a value of which `size` bytes precede `start`.
    ///
    /// It is the position after the first byte that exceeds `maximumSize`, but at most `end`. A
    /// value that is too large is thus detected at the same byte, however the text is split.
    private func limit(from start: Int, to end: Int, size: Int) -> Int {
        let remaining = max(0, maximumSize - size)
        return remaining < end - start ? start + remaining + 1 : end
    }
}

// The elements of the array.
extension JSONArrayScanner {
    /// Handles a byte other than whitespace that is not part of an element.
    ///
    /// After the outermost bracket has been closed, any such byte is an error.
    private mutating func beginElement(
        with byte: UInt8,
        at position: Int
    ) throws(JSONScanError) -> Int {
        guard case .beforeElement(let isFirst) = state else {
            throw JSONScanError(reason: .trailingBytes, position: position)
        }
        switch byte {
        case .closeBracket where isFirst:
            try endArray(with: byte, at: position)
            return position + 1
        case .closeBracket, .comma:
            throw JSONScanError(reason: .missingElement, position: position)
        case .closeBrace:
            throw JSONScanError(reason: .mismatchedBracket, position: position)
        default:
            state = .element
            return position
        }
    }

    /// Collects bytes of an element, up to the comma or the bracket that ends it.
    private mutating func element(
        in chunk: Data,
        _ bytes: RawSpan,
        from start: Int
    ) throws(JSONScanError) -> Int {
        let limit = limit(from: start, to: bytes.byteCount, size: batch.elementSize)
        // The nesting depth inside the array, at which a comma or a bracket ends the element.
        let floor = path.count + 1
        let stop = try nesting.advance(in: bytes, from: start, to: limit, floor: floor)
        batch.append(chunk.slice(start..<stop))
        guard batch.elementSize <= maximumSize else {
            throw JSONScanError(reason: .tooLarge, position: stop - 1)
        }
        guard stop < limit else { return stop }
        state = .beforeElement(isFirst: false)
        if bytes[stop] != .comma { try endArray(with: bytes[stop], at: stop) }
        batch.endElement()
        return stop + 1
    }

    private mutating func endArray(
        with bracket: UInt8,
        at position: Int
    ) throws(JSONScanError) {
        try nesting.close(bracket, at: position)
        state = path.isEmpty ? .afterText : .afterArray
    }
}

// The objects around the array.
extension JSONArrayScanner {
    /// Appends bytes to the envelope up to the next one that changes the state, and consumes that.
    private mutating func stepInEnvelope(
        in chunk: Data,
        _ bytes: RawSpan,
        from start: Int
    ) throws(JSONScanError) -> Int {
        let limit = limit(from: start, to: bytes.byteCount, size: envelope.size)
        let stop = try stop(in: bytes, from: start, to: limit)
        envelope.append(chunk.slice(start..<stop))
        let next = stop < limit ? try changeState(at: bytes[stop], position: stop) : stop
        guard envelope.size <= maximumSize else {
            throw JSONScanError(reason: .tooLarge, position: max(start, next - 1))
        }
        return next
    }

    /// Returns the end of the bytes that do not change the state.
    private mutating func stop(
        in bytes: RawSpan,
        from start: Int,
        to limit: Int
    ) throws(JSONScanError) -> Int {
        switch state {
        case .name:
            let end = nesting.advanceInString(in: bytes, from: start, to: limit)
            // The quotation mark that ends the name changes the state.
            return nesting.isInString ? end : end - 1
        case .skippedValue, .afterArray:
            return try nesting.advance(in: bytes, from: start, to: limit, floor: envelope.level)
        default:
            return min(bytes.skippingWhitespace(from: start), limit)
        }
    }

    /// Consumes a byte that changes the state, and returns the next position.
    private mutating func changeState(
        at byte: UInt8,
        position: Int
    ) throws(JSONScanError) -> Int {
        switch (state, byte) {
        case (.beforeName, .quote):
            nesting.beginString()
            envelope.beginName()
            state = .name
        case (.name, _):
            envelope.append(byte)
            state = .afterName(isMatch: envelope.name == path[envelope.level - 1])
        case (.afterName(let isMatch), .colon):
            envelope.append(byte)
            state = .beforeValue(isMatch: isMatch)
        case (.beforeValue(isMatch: true), _):
            try enter(with: byte, at: position)
        case (.beforeValue(isMatch: false), _):
            state = .skippedValue
            return position
        case (.skippedValue, .comma), (.afterArray, .comma):
            envelope.append(byte)
            if case .skippedValue = state { state = .beforeName }
        case (.afterArray, _):
            try nesting.close(byte, at: position)
            envelope.closeObject()
            guard envelope.level == 0 else { break }
            guard envelope.isValidJSON else {
                throw JSONScanError(reason: .invalidJSON, position: position)
            }
            state = .afterText
        case (.skippedValue, _), (.beforeName, .closeBrace):
            // The object ends without a member of the path.
            try nesting.close(byte, at: position)
            throw JSONScanError(reason: .noArray, position: position)
        default:
            throw JSONScanError(reason: .invalidJSON, position: position)
        }
        return position + 1
    }

    /// Enters the value of a member of the path: an object, or finally the array.
    private mutating func enter(
        with byte: UInt8,
        at position: Int
    ) throws(JSONScanError) {
        let isArray = envelope.level == path.count
        guard byte == (isArray ? .openBracket : .openBrace) else {
            throw JSONScanError(reason: .noArray, position: position)
        }
        try nesting.open(byte, at: position)
        if isArray {
            envelope.appendEmptyArray()
            state = .beforeElement(isFirst: true)
        } else {
            envelope.openObject()
            state = .beforeName
        }
    }
}

extension RawSpan {
    /// Returns the position of the first byte that is not whitespace.
    fileprivate func skippingWhitespace(from start: Int) -> Int {
        var position = start
        while position < byteCount, self[position].isJSONWhitespace { position += 1 }
        return position
    }
}

extension Data {
    /// Returns a part of the data, with positions counted from 0 even if the data is itself a
    /// slice.
    fileprivate func slice(_ range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
