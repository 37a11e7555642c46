import Foundation
import ProductKit
import Testing

/// Files, data and chunks as sources, and the maximum size of an element.
@Suite(.serialized, .timeLimit(.minutes(5))) struct JSONElementsSourceTests {
    @Test func `each loop reads a file from its start to its end`() async throws {
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

    @Test func `an array in a file is found by the name of its member`() async throws {
        let file = try temporaryFile(holding: #"{"items": [1, 2]}"#)
        defer { try? FileManager.default.removeItem(at: file) }

        let outcome = try await JSONOutcome(of: JSONElements<Int>(contentsOf: file, in: "items"))

        #expect(outcome.elements == [1, 2])
    }

    @Test(arguments: [URL(filePath: "/no/such/file.json"), .api.appending(path: "file.json")])
    func `a file that cannot be read ends the loop with an error`(file: URL) async throws {
        var batches = JSONElements<Int>(contentsOf: file).makeAsyncIterator()

        let error = await #expect(throws: JSONElementsError.self) { try await batches.next() }
        #expect(error?.index == 0 && error?.offset == 0)
        #expect(error?.underlying is CocoaError)
        #expect(
            error?.localizedDescription.hasPrefix("The file “file.json” cannot be read: ") == true
        )
        #expect(try await batches.next() == nil)
    }

    @Test func `a slice of data is read like a whole`() async throws {
        let text = Data("xx[1, 2]xx".utf8)

        let outcome = try await JSONOutcome(of: JSONElements<Int>(text[2..<8]))

        #expect(outcome.isAccepted)
        #expect(outcome.elements == [1, 2])
    }

    @Test func `no chunk is requested before the loop begins, or before it is needed`()
        async throws
    {
        let requested = Counter()
        let numbers = Array(repeating: "1", count: 64).joined(separator: ",")
        let chunks = AsyncStream {
            requested.next() == 1 ? Data("[\(numbers),".utf8) : Data("2]".utf8)
        }
        let source = JSONElements<Int>(chunks: chunks)

        var batches = source.makeAsyncIterator()
        #expect(requested.count == 0)
        #expect(try await batches.next()?.elements.count == 64)
        #expect(requested.count == 1)
    }

    @Test func `empty chunks are ignored`() async throws {
        let text = Data("[1, 22]".utf8)
        let chunks = text.chunks(splitAt: [0, 0, 1, 1, 5, 5, 5, 7])

        let outcome = try await JSONOutcome(of: JSONElements<Int>(chunks: chunks))

        #expect(outcome.elements == [1, 22])
    }

    // Rule: json/elements-before-error-are-returned (10)
    @Test func `an error of the chunks is thrown once, after the elements before it`() async throws
    {
        let chunks = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("[1, 2, 3".utf8))
            continuation.finish(throwing: UnsupportedOperation("chunks"))
        }
        var batches = JSONElements<Int>(chunks: chunks).makeAsyncIterator()

        #expect(try await batches.next()?.elements == [1, 2])
        await #expect(throws: UnsupportedOperation("chunks")) { try await batches.next() }
        #expect(try await batches.next() == nil)
    }

    @Test func `a cancelled task does not decode another batch`() async throws {
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

    @Test func `a task that is already cancelled does not request a chunk`() async throws {
        let requested = Counter()
        let chunks = AsyncStream {
            requested.next()
            return Data("[".utf8)
        }
        let task = Task { () async throws in
            withUnsafeCurrentTask { $0?.cancel() }
            var batches = JSONElements<Int>(chunks: chunks).makeAsyncIterator()
            await #expect(throws: CancellationError.self) { try await batches.next() }
        }

        try await task.value
        #expect(requested.count == 0)
    }

    @Test(arguments: [1, 3, 64])
    func `an element has a maximum size`(size: Int) async throws {
        let text = Data("[1, \"12345678\", \"123456789\", 2]".utf8)

        var source = JSONElements<JSONValue>(text)
        source.maximumElementSize = 11
        #expect(try await JSONOutcome(of: source).isAccepted)
        source = JSONElements(chunks: text.chunks(of: size))
        source.maximumElementSize = 10
        let outcome = try await JSONOutcome(of: source)

        #expect(outcome.elements == [.number(1), .string("12345678")])
        #expect(outcome.failure?.reason == .tooLarge)
        #expect(outcome.failure?.index == 2)
        #expect(outcome.failure?.offset == 26)
    }

    @Test(arguments: ["[\"", "[1", "[[", "{\"a\": \"", "{\"", "{\"items\": [], \"a\": [1, 2"])
    func `a text without an end is an error at the maximum size`(start: String) async throws {
        let requested = Counter()
        let chunks = AsyncStream { Data((requested.next() == 1 ? start : "aaaaaaaaaaaaaaaa").utf8) }
        var source = JSONElements<JSONValue>(chunks: chunks)
        if start.hasPrefix("{") { source = JSONElements(chunks: chunks, in: "items") }
        source.maximumElementSize = 1_024

        let outcome = try await JSONOutcome(of: source)

        #expect(outcome.failure?.reason == .tooLarge)
        #expect(requested.count <= 1_024 / 16 + 2)
    }

    @Test func `whitespace between elements does not count toward the maximum size`() async throws {
        let spaces = String(repeating: " ", count: 5_000)
        var source = JSONElements<Int>(Data("\(spaces)[\(spaces)1,\(spaces)2]\(spaces)".utf8))
        source.maximumElementSize = 1

        #expect(try await JSONOutcome(of: source).elements == [1, 2])
    }

    @Test func `a large element in small chunks is decoded once`() async throws {
        let text = Data("[\"\(String(repeating: "a", count: 4_000_000))\"]".utf8)

        let outcome = try await JSONOutcome(
            of: JSONElements<String>(chunks: text.chunks(of: 100))
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
