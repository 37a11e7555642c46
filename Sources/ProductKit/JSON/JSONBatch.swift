import Foundation

/// The texts of a few neighboring elements, gathered for one call of a decoder.
struct JSONBatch: Sendable {
    /// How many elements are decoded at once: enough to pay for a decoder, few enough to hold.
    static let maximumCount = 64
    /// A batch that has this many bytes takes no more elements.
    static let maximumSize = 256 * 1_024

    /// The beginning of an array.
    ///
    /// Behind its blank no NUL of an element can make the decoder take the bytes for UTF-16.
    private static let head = Data("[ ".utf8)

    private var text = head
    private var ends: [Int] = []
    /// The place of the first element in the whole array.
    private var firstIndex = 0

    /// How many elements are complete, those of earlier batches included.
    var nextIndex: Int { firstIndex + ends.count }
    /// Whether no element is complete.
    var isEmpty: Bool { ends.isEmpty }
    /// Whether the complete elements should be decoded before more are added.
    var isFull: Bool { ends.count >= Self.maximumCount || (ends.last ?? 0) >= Self.maximumSize }
    /// How many bytes of the unfinished element are there.
    var elementSize: Int { text.count - (ends.last.map { $0 + 1 } ?? Self.head.count) }

    /// Adds bytes to the unfinished element.
    mutating func append(_ bytes: Data) {
        text.append(bytes)
    }

    /// Completes an element.
    mutating func endElement() {
        ends.append(text.count)
        text.append(.comma)
    }

    /// Takes the complete elements out; an unfinished one is forgotten.
    mutating func take() -> JSONBatch {
        defer {
            firstIndex = nextIndex
            text = Self.head
            ends = []
        }
        return self
    }

    /// Reads the complete elements.
    ///
    /// One that is no JSON spoils the text for the others, so then each is read on its own.
    func decoded<Element: Decodable>(as type: Element.Type) -> TolerantElements<Element> {
        if let elements = elements(in: Self.head.count..<(ends.last ?? Self.head.count), as: type),
            elements.count == ends.count
        {
            return elements.counted(from: firstIndex)
        }
        var elements = TolerantElements<Element>()
        var start = Self.head.count
        for (index, end) in zip(firstIndex..., ends) {
            if let element = self.elements(in: start..<end, as: type), element.count == 1 {
                elements.append(element.counted(from: index))
            } else {
                elements.reject(
                    RejectedElement(index: index, member: "", reason: "It is no JSON value.")
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
