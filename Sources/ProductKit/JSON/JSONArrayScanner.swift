import Foundation

/// Finds the elements of one JSON array in a text that comes piece by piece.
///
/// It looks at strings, brackets and the commas between elements, and holds no more of the text
/// than the elements of one batch and what stands around the array.
struct JSONArrayScanner: Sendable {
    /// Where in the text the next byte stands.
    enum Place {
        case beforeText, beforeKey, key, behindKey(isWanted: Bool), beforeValue(isWanted: Bool)
        case value, beforeElement(isFirst: Bool), element, behindArray, behindText
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The members that lead from the outermost object to the array.
    let path: [String]
    /// How many bytes an element may have, and what stands around the array.
    let maximumSize: Int
    var place = Place.beforeText
    var nesting = JSONNesting()
    /// What stands around the array, which itself is left empty in it.
    var envelope = JSONEnvelope()
    private var batch = JSONBatch()
    private var markLength = 0
    /// How many bytes earlier pieces had.
    private var consumed = 0

    init(path: [String], maximumSize: Int) {
        self.path = path
        self.maximumSize = maximumSize
    }

    /// Reads on in a piece, to its end or until a batch is full.
    ///
    /// - Parameters:
    ///   - piece: A piece of the text.
    ///   - position: Where to go on in it; afterwards where it stopped.
    /// - Returns: A full batch, or `nil` when the piece is used up.
    /// - Throws: ``JSONElementsError``; then nothing more can be read.
    mutating func scan(
        _ piece: Data,
        from position: inout Int
    ) throws(JSONElementsError) -> JSONBatch? {
        let end = piece.count
        while position < end {
            do {
                position = try step(in: piece, from: position)
            } catch {
                throw failure(error.reason, at: error.position)
            }
            if batch.isFull { return batch.take() }
        }
        consumed += end
        return nil
    }

    /// Ends the text.
    mutating func finish() throws(JSONElementsError) {
        switch place {
        case .behindText: break
        case .beforeText: throw failure(.noArray, at: 0)
        default: throw failure(.earlyEnd, at: 0)
        }
    }

    /// The complete elements that are in no batch yet; `nil` when there are none.
    mutating func takeRest() -> JSONBatch? {
        batch.isEmpty ? nil : batch.take()
    }

    private mutating func step(
        in piece: Data,
        from start: Int
    ) throws(JSONNesting.Fault) -> Int {
        let bytes = piece.bytes
        let byte = bytes[start]
        switch place {
        case .beforeText:
            try begin(with: byte, at: start)
        case .beforeElement, .behindText:
            guard !byte.isBlank else { return bytes.skippingBlanks(from: start) }
            return try beginElement(with: byte, at: start)
        case .element:
            return try element(in: piece, bytes, from: start)
        case .beforeKey, .key, .behindKey, .beforeValue, .value, .behindArray:
            return try stepAround(in: piece, bytes, from: start)
        }
        return start + 1
    }

    private mutating func begin(
        with byte: UInt8,
        at position: Int
    ) throws(JSONNesting.Fault) {
        let mark = Self.byteOrderMark
        if markLength < 3, consumed + position == markLength, byte == mark[markLength] {
            markLength += 1
            return
        }
        let isMarkWhole = markLength == 0 || markLength == 3
        guard !byte.isBlank || !isMarkWhole else { return }
        guard isMarkWhole, byte == (path.isEmpty ? .openBracket : .openBrace) else {
            throw JSONNesting.Fault(reason: .noArray, position: position)
        }
        try nesting.open(byte, at: position)
        if path.isEmpty {
            place = .beforeElement(isFirst: true)
        } else {
            envelope.openObject()
            place = .beforeKey
        }
    }

    private mutating func beginElement(
        with byte: UInt8,
        at position: Int
    ) throws(JSONNesting.Fault) -> Int {
        guard case .beforeElement(let isFirst) = place else {
            throw JSONNesting.Fault(reason: .bytesAfterEnd, position: position)
        }
        switch byte {
        case .closeBracket where isFirst:
            try endArray(with: byte, at: position)
            return position + 1
        case .closeBracket, .comma:
            throw JSONNesting.Fault(reason: .emptyElement, position: position)
        case .closeBrace:
            throw JSONNesting.Fault(reason: .wrongBracket, position: position)
        default:
            place = .element
            return position
        }
    }

    private mutating func element(
        in piece: Data,
        _ bytes: RawSpan,
        from start: Int
    ) throws(JSONNesting.Fault) -> Int {
        let limit = limit(from: start, to: bytes.byteCount, size: batch.elementSize)
        let floor = path.count + 1
        let stop = try nesting.advance(in: bytes, from: start, to: limit, floor: floor)
        batch.append(piece.slice(start..<stop))
        guard batch.elementSize <= maximumSize else {
            throw JSONNesting.Fault(reason: .tooLarge, position: stop - 1)
        }
        guard stop < limit else { return stop }
        place = .beforeElement(isFirst: false)
        if bytes[stop] != .comma { try endArray(with: bytes[stop], at: stop) }
        batch.endElement()
        return stop + 1
    }

    private mutating func endArray(
        with bracket: UInt8,
        at position: Int
    ) throws(JSONNesting.Fault) {
        try nesting.close(bracket, at: position)
        place = path.isEmpty ? .behindText : .behindArray
    }

    /// Where to stop at the latest, so that a value that is too large is noticed at the same byte
    /// wherever the text is cut.
    func limit(from start: Int, to end: Int, size: Int) -> Int {
        let room = max(0, maximumSize - size)
        return room < end - start ? start + room + 1 : end
    }

    private func failure(
        _ reason: JSONElementsError.Reason,
        at position: Int
    ) -> JSONElementsError {
        JSONElementsError(reason, index: batch.nextIndex, offset: consumed + position)
    }
}

extension RawSpan {
    /// The first place from one on where no blank stands.
    func skippingBlanks(from start: Int) -> Int {
        var position = start
        while position < byteCount, self[position].isBlank { position += 1 }
        return position
    }
}

extension Data {
    /// A part of a piece, counted from 0 even when the piece is a part itself.
    func slice(_ range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}

extension JSONArrayScanner {
    /// Takes a step in what stands around the array: looks for the member, or for the end.
    mutating func stepAround(
        in piece: Data,
        _ bytes: RawSpan,
        from start: Int
    ) throws(JSONNesting.Fault) -> Int {
        let limit = limit(from: start, to: bytes.byteCount, size: envelope.size)
        let stop = try stop(in: bytes, from: start, to: limit)
        envelope.append(piece.slice(start..<stop))
        let next = stop < limit ? try turn(at: bytes[stop], position: stop) : stop
        guard envelope.size <= maximumSize else {
            throw JSONNesting.Fault(reason: .tooLarge, position: max(start, next - 1))
        }
        return next
    }

    /// The end of the bytes that change nothing.
    private mutating func stop(
        in bytes: RawSpan,
        from start: Int,
        to limit: Int
    ) throws(JSONNesting.Fault) -> Int {
        switch place {
        case .key:
            let end = nesting.advanceInString(in: bytes, from: start, to: limit)
            return nesting.isInString ? end : end - 1
        case .value, .behindArray:
            return try nesting.advance(in: bytes, from: start, to: limit, floor: envelope.level)
        default:
            return min(bytes.skippingBlanks(from: start), limit)
        }
    }

    /// Goes on at a byte that changes something.
    private mutating func turn(
        at byte: UInt8,
        position: Int
    ) throws(JSONNesting.Fault) -> Int {
        switch (place, byte) {
        case (.beforeKey, .quote):
            nesting.beginString()
            envelope.beginKey()
            place = .key
        case (.key, _):
            envelope.append(byte)
            place = .behindKey(isWanted: envelope.key == path[envelope.level - 1])
        case (.behindKey(let isWanted), .colon):
            envelope.append(byte)
            place = .beforeValue(isWanted: isWanted)
        case (.beforeValue(isWanted: true), _):
            try enter(with: byte, at: position)
        case (.beforeValue(isWanted: false), _):
            place = .value
            return position
        case (.value, .comma), (.behindArray, .comma):
            envelope.append(byte)
            if case .value = place { place = .beforeKey }
        case (.behindArray, _):
            try nesting.close(byte, at: position)
            envelope.closeObject()
            guard envelope.level == 0 else { break }
            guard envelope.isJSON else {
                throw JSONNesting.Fault(reason: .notJSON, position: position)
            }
            place = .behindText
        case (.value, _), (.beforeKey, .closeBrace):
            // An object ends without the member.
            try nesting.close(byte, at: position)
            throw JSONNesting.Fault(reason: .noArray, position: position)
        default:
            throw JSONNesting.Fault(reason: .notJSON, position: position)
        }
        return position + 1
    }

    /// Enters the value of a member on the way to the array, or the array itself.
    private mutating func enter(
        with byte: UInt8,
        at position: Int
    ) throws(JSONNesting.Fault) {
        let isArray = envelope.level == path.count
        guard byte == (isArray ? .openBracket : .openBrace) else {
            throw JSONNesting.Fault(reason: .noArray, position: position)
        }
        try nesting.open(byte, at: position)
        if isArray {
            envelope.addArray()
            place = .beforeElement(isFirst: true)
        } else {
            envelope.openObject()
            place = .beforeKey
        }
    }
}
