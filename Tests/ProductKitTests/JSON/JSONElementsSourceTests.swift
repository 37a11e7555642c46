import Foundation
import ProductKit
import Testing

/// Files, data and pieces, and how much of them is held.
@Suite(.timeLimit(.minutes(5))) struct JSONElementsSourceTests {
    @Test func `a file is read to its end, in as many loops as are begun`() async throws {
        let numbers = Array(0..<50_000)
        let text = "[\(numbers.map(String.init).joined(separator: ",\n"))]"
        let file = try temporaryFile(holding: text)
        defer { try? FileManager.default.removeItem(at: file) }
        let source = JSONElements<Int>(contentsOf: file)

        for _ in 1...2 {
            let outcome = try await JSONOutcome(of: source)
            #expect(outcome.isAccepted)
            #expect(outcome.elements == numbers)
        }
    }

    @Test func `an array in a file is found by its member`() async throws {
        let file = try temporaryFile(holding: #"{"items": [1, 2]}"#)
        defer { try? FileManager.default.removeItem(at: file) }

        let outcome = try await JSONOutcome(of: JSONElements<Int>(contentsOf: file, in: "items"))

        #expect(outcome.elements == [1, 2])
    }

    @Test(arguments: [URL(filePath: "/no/such/file.json"), .api])
    func `a file that cannot be read fails the loop once`(file: URL) async throws {
        var batches = JSONElements<Int>(contentsOf: file).makeAsyncIterator()

        let error = await #expect(throws: UnreadableFile.self) { try await batches.next() }
        #expect(error?.localizedDescription.contains(file.path(percentEncoded: false)) == true)
        #expect(try await batches.next() == nil)
    }

    @Test func `a part of some data is read as if it were the whole`() async throws {
        let text = Data("xx[1, 2]xx".utf8)

        let outcome = try await JSONOutcome(of: JSONElements<Int>(text[2..<8]))

        #expect(outcome.isAccepted)
        #expect(outcome.elements == [1, 2])
    }

    @Test func `nothing is asked for before the loop, and no piece before it is needed`()
        async throws
    {
        let asked = Counter()
        let numbers = Array(repeating: "1", count: 64).joined(separator: ",")
        let pieces = AsyncStream { asked.next() == 1 ? Data("[\(numbers),".utf8) : Data("2]".utf8) }
        let source = JSONElements<Int>(pieces: pieces)

        var batches = source.makeAsyncIterator()
        #expect(asked.count == 0)
        #expect(try await batches.next()?.elements.count == 64)
        #expect(asked.count == 1)
    }

    @Test func `empty pieces change nothing`() async throws {
        let text = Data("[1, 22]".utf8)
        let pieces = text.pieces(cutAt: [0, 0, 1, 1, 5, 5, 5, 7])

        let outcome = try await JSONOutcome(of: JSONElements<Int>(pieces: pieces))

        #expect(outcome.elements == [1, 22])
    }

    // Rule: json/elements-before-error-are-returned (10)
    @Test func `what pieces throw is thrown once, after the elements before`() async throws {
        let pieces = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("[1, 2, 3".utf8))
            continuation.finish(throwing: UnsupportedOperation("pieces"))
        }
        var batches = JSONElements<Int>(pieces: pieces).makeAsyncIterator()

        #expect(try await batches.next()?.elements == [1, 2])
        await #expect(throws: UnsupportedOperation("pieces")) { try await batches.next() }
        #expect(try await batches.next() == nil)
    }

    @Test func `a cancelled task reads nothing more`() async throws {
        let numbers = Array(repeating: "1", count: 200).joined(separator: ",")
        let source = JSONElements<Int>(Data("[\(numbers)]".utf8))

        let task = Task { () async throws in
            var batches = source.makeAsyncIterator()
            #expect(try await batches.next()?.elements.count == 64)
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await batches.next() }
            #expect(try await batches.next() == nil)
        }

        try await task.value
    }

    @Test func `a task that is cancelled beforehand asks for no piece`() async throws {
        let asked = Counter()
        let pieces = AsyncStream {
            asked.next()
            return Data("[".utf8)
        }
        let task = Task { () async throws in
            withUnsafeCurrentTask { $0?.cancel() }
            var batches = JSONElements<Int>(pieces: pieces).makeAsyncIterator()
            await #expect(throws: CancellationError.self) { try await batches.next() }
        }

        try await task.value
        #expect(asked.count == 0)
    }

    @Test(arguments: [1, 3, 64])
    func `an element may be as large as allowed and no larger`(size: Int) async throws {
        let text = Data("[1, \"12345678\", \"123456789\", 2]".utf8)

        var source = JSONElements<JSONValue>(text)
        source.maximumElementSize = 11
        #expect(try await JSONOutcome(of: source).isAccepted)
        source = JSONElements(pieces: text.pieces(of: size))
        source.maximumElementSize = 10
        let outcome = try await JSONOutcome(of: source)

        #expect(outcome.elements == [.number(1), .string("12345678")])
        #expect(outcome.error?.reason == .tooLarge)
        #expect(outcome.error?.index == 2)
        #expect(outcome.error?.offset == 26)
    }

    @Test(arguments: ["[\"", "[1", "[[", "{\"a\": \"", "{\"", "{\"items\": [], \"a\": [1, 2"])
    func `a text without an end is given up at the bound`(start: String) async throws {
        let asked = Counter()
        let pieces = AsyncStream { Data((asked.next() == 1 ? start : "aaaaaaaaaaaaaaaa").utf8) }
        var source = JSONElements<JSONValue>(pieces: pieces)
        if start.hasPrefix("{") { source = JSONElements(pieces: pieces, in: "items") }
        source.maximumElementSize = 1_024

        let outcome = try await JSONOutcome(of: source)

        #expect(outcome.error?.reason == .tooLarge)
        #expect(asked.count <= 1_024 / 16 + 2)
    }

    @Test func `blanks between elements count for none and are not held`() async throws {
        let blanks = String(repeating: " ", count: 5_000)
        var source = JSONElements<Int>(Data("\(blanks)[\(blanks)1,\(blanks)2]\(blanks)".utf8))
        source.maximumElementSize = 1

        #expect(try await JSONOutcome(of: source).elements == [1, 2])
    }

    @Test func `a large element in small pieces is read in one go`() async throws {
        let text = Data("[\"\(String(repeating: "a", count: 4_000_000))\"]".utf8)

        let outcome = try await JSONOutcome(
            of: JSONElements<String>(pieces: text.pieces(of: 100))
        )

        #expect(outcome.batchSizes == [1])
        #expect(outcome.elements.map(\.count) == [4_000_000])
    }

    private func temporaryFile(holding text: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "elements-\(UUID().uuidString).json")
        try Data(text.utf8).write(to: file)
        return file
    }
}
