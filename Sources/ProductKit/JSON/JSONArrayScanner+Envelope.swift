import Foundation

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
