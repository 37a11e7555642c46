import Foundation

/// The JSON texts of consecutive array elements, collected for one call of a decoder.
///
/// `JSONArrayScanner` appends the bytes of one element after another and takes the batch out when
/// it is full. Decoding many elements at once is faster than creating a decoder for each of them.
struct UndecodedBatch: Sendable {
    /// The maximum number of elements in a batch.
    private static let maximumCount = 64
    /// The number of bytes from which on a batch is full.
    private static let maximumSize = 256 * 1_024

    /// The start of a JSON array.
    ///
    /// `JSONDecoder` detects UTF-16 by a NUL in the first bytes. The space prevents that a NUL in
    /// an element has this effect.
    private static let head = Data("[ ".utf8)

    private var text = head
    /// The end of each complete element in the text.
    private var ends: [Int] = []
    /// The index of the first element in the whole array.
    private var firstIndex = 0

    /// The number of complete elements, including those of previous batches.
    var nextIndex: Int { firstIndex + ends.count }
    /// Whether the batch has no complete element.
    var isEmpty: Bool { ends.isEmpty }
    /// Whether the complete elements should be decoded before more are added.
    var isFull: Bool { ends.count >= Self.maximumCount || (ends.last ?? 0) >= Self.maximumSize }
    /// The number of bytes of the incomplete element.
    var elementSize: Int { text.count - (ends.last.map { $0 + 1 } ?? Self.head.count) }

    /// Appends bytes to the incomplete element.
    mutating func append(_ bytes: Data) {
        text.append(bytes)
    }

    /// Marks the incomplete element as complete.
    mutating func endElement() {
        ends.append(text.count)
        text.append(.comma)
    }

    /// Returns the complete elements and removes all bytes, including those of an incomplete
    /// element.
    mutating func take() -> UndecodedBatch {
        defer {
            firstIndex = nextIndex
            text = Self.head
            ends = []
        }
        return self
    }

    /// Decodes the complete elements.
    ///
    /// If one of them is not valid JSON, the decoder rejects the whole text. Each element is then
    /// decoded on its own, so that only the invalid ones are rejected.
    func decoded<Element: Decodable>(as type: Element.Type) -> TolerantElements<Element> {
        var elements = TolerantElements<Element>()
        if let all = self.elements(in: Self.head.count..<(ends.last ?? Self.head.count), as: type),
            all.count == ends.count
        {
            elements.append(all, offset: firstIndex)
            return elements
        }
        var start = Self.head.count
        for (index, end) in zip(firstIndex..., ends) {
            if let element = self.elements(in: start..<end, as: type), element.count == 1 {
                elements.append(element, offset: index)
            } else {
                elements.reject(
                    RejectedElement(index: index, member: "", reason: "It is not valid JSON.")
                )
            }
            start = end + 1
        }
        return elements
    }

    private func elements<Element: Decodable>(
        in range: Range<Int>,
        as type: Element.Type
    ) -> TolerantElements<Element>? {
        var array = Self.head
        array.append(text[range])
        array.append(.closeBracket)
        return try? JSONDecoder().decode(TolerantElements<Element>.self, from: array)
    }
}
