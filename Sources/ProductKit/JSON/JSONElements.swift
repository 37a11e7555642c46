public import Foundation

/// An asynchronous sequence of the elements of a JSON array, decoded in batches.
///
/// Use it for a catalog in a file, or for a response body that is still being received. It does not
/// collect the array: it holds one chunk of the text and one batch of elements. The memory that it
/// needs depends on the size of the chunks and of the largest element, not on the size of the
/// array.
///
/// ```swift
/// for try await batch in JSONElements<Product>(contentsOf: file, in: "items") {
///     show(batch.elements)
/// }
/// ```
///
/// - An element that cannot be decoded is reported in ``Batch/rejected``; the others are not
///   affected.
/// - An error in the array itself is thrown as ``JSONElementsError``, after the elements before it
///   have been returned.
/// - Members beside the array are skipped, but must be valid JSON. If an object has two members of
///   the same name, the first one is used.
/// - The text is UTF-8, with or without a byte order mark.
///
/// Reading begins with the first iteration of a loop, and each loop begins at the start. Decoding
/// does not run on the caller's actor.
public struct JSONElements<Value: Decodable & Sendable>: Sendable {
    /// The maximum number of bytes of one element, 16 MiB by default.
    ///
    /// The limit also applies to the text around the array. It must be at least 1.
    public var maximumElementSize = 16 * 1_024 * 1_024

    private let source: ByteSource
    private let path: [String]

    /// Creates a sequence that reads a file in chunks of 64 KiB.
    ///
    /// The file is opened when a loop begins. If it cannot be read, the loop throws
    /// ``JSONElementsError``.
    ///
    /// - Parameters:
    ///   - url: The URL of a file.
    ///   - members: The names of the members that lead from the outermost object to the array; none
    ///     if the array is the outermost value.
    public init(contentsOf url: URL, in members: String...) {
        source = .file(url)
        path = members
    }

    /// Creates a sequence that reads data in memory.
    ///
    /// - Parameters:
    ///   - data: The JSON text.
    ///   - members: The names of the members that lead from the outermost object to the array; none
    ///     if the array is the outermost value.
    public init(_ data: Data, in members: String...) {
        source = .data(data)
        path = members
    }

    /// Creates a sequence that reads chunks of data, which may be split at any byte.
    ///
    /// The next chunk is requested when the previous one has been decoded. An error that `chunks`
    /// throws is thrown unchanged, after the elements before it have been returned. A second loop
    /// works only if the chunks can be iterated again, which an `AsyncStream` cannot.
    ///
    /// - Parameters:
    ///   - chunks: The JSON text in chunks of any size, including empty ones.
    ///   - members: The names of the members that lead from the outermost object to the array; none
    ///     if the array is the outermost value.
    public init<Chunks: AsyncSequence & Sendable>(chunks: Chunks, in members: String...)
    where Chunks.Element == Data {
        source = .sequence {
            let reader = ChunkReader(chunks)
            return { try await reader.next() }
        }
        path = members
    }
}

extension JSONElements {
    /// Up to 64 consecutive elements of the array, fewer if they are large.
    public struct Batch {
        /// The decoded elements, in the order of the array; empty if all were rejected.
        public let elements: [Value]
        /// The elements that cannot be decoded.
        ///
        /// Each ``RejectedElement/index`` is counted from the start of the array, not of the batch.
        public let rejected: [RejectedElement]
    }
}

extension JSONElements.Batch: Sendable {}
extension JSONElements.Batch: Equatable where Value: Equatable {}
extension JSONElements.Batch: Hashable where Value: Hashable {}

extension JSONElements: AsyncSequence {
    /// Creates an iterator that decodes one ``Batch`` at a time, off the caller's actor.
    ///
    /// The iterator returns `nil` at the end of the array, and after it has thrown an error. It
    /// throws ``JSONElementsError`` if the text does not contain a complete array or the file
    /// cannot be read, `CancellationError` if the task is cancelled, and every error that the
    /// chunks throw.
    ///
    /// - Precondition: ``maximumElementSize`` is at least 1.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Batch, any Error> & Sendable {
        precondition(maximumElementSize > 0, "maximumElementSize must be at least 1.")
        return Iterator(
            source: source,
            scanner: JSONArrayScanner(path: path, maximumSize: maximumElementSize)
        )
    }

    private struct Iterator: AsyncIteratorProtocol, Sendable {
        private var source: ByteSource
        private var scanner: JSONArrayScanner
        private var chunk = Data()
        /// The position of the next byte in the chunk.
        private var position = 0
        private var isFinished = false
        /// The error to throw after the last elements have been returned.
        private var pendingError: (any Error)?

        init(source: ByteSource, scanner: JSONArrayScanner) {
            self.source = source
            self.scanner = scanner
        }

        @concurrent mutating func next() async throws -> Batch? {
            guard !isFinished || pendingError != nil else { return nil }
            do {
                try Task.checkCancellation()
                guard let batch = try await nextBatch() else { return nil }
                let decoded = batch.decoded(as: Value.self)
                return Batch(elements: decoded.items, rejected: decoded.rejected.reports)
            } catch {
                finish(throwing: nil)
                // In a cancelled task, streams end early and transports throw errors of their own.
                throw Task.isCancelled ? CancellationError() : error
            }
        }

        /// Reads chunks until a batch is full, or returns the last elements before an end or error.
        private mutating func nextBatch() async throws -> UndecodedBatch? {
            while !isFinished {
                do {
                    if let batch = try scanner.scan(chunk, from: &position) { return batch }
                    try Task.checkCancellation()
                    if let next = try await source.next() {
                        chunk = next
                        position = 0
                    } else {
                        try scanner.finish()
                        finish(throwing: nil)
                    }
                } catch let error as UnreadableFile where !Task.isCancelled {
                    finish(throwing: scanner.error(reading: error.name, error.underlying))
                } catch let error where !Task.isCancelled {
                    finish(throwing: error)
                }
                // The elements before the error are returned first.
                if isFinished, let rest = scanner.takeRemainingElements() { return rest }
            }
            if let pendingError { throw pendingError }
            return nil
        }

        /// Closes the source; ``nextBatch()`` throws the error after the last elements.
        private mutating func finish(throwing error: (any Error)?) {
            isFinished = true
            pendingError = error
            source = .finished
            chunk = Data()
        }
    }
}

/// A source of the chunks of a JSON text, and the position in it.
private enum ByteSource: Sendable {
    /// A file that is opened by the first call of ``next()``.
    case file(URL)
    /// An open file, with its name for error messages.
    case openFile(FileHandle, name: String)
    /// The whole text as one chunk.
    case data(Data)
    /// A closure that starts to iterate over a caller's chunks, and returns the next function.
    case sequence(@Sendable () -> @Sendable () async throws -> Data?)
    /// The function that returns the next of a caller's chunks.
    case startedSequence(@Sendable () async throws -> Data?)
    /// A source without further chunks.
    case finished

    private static let chunkSize = 64 * 1_024

    /// Returns the next chunk, or `nil` at the end.
    mutating func next() async throws -> Data? {
        switch self {
        case .file(let url):
            let name = url.lastPathComponent
            let file = try UnreadableFile.catching(name) {
                guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
                return try FileHandle(forReadingFrom: url)
            }
            self = .openFile(file, name: name)
            return try await next()
        case .openFile(let file, let name):
            return try UnreadableFile.catching(name) { try Self.chunk(of: file) }
        case .data(let data):
            self = .finished
            return data
        case .sequence(let start):
            self = .startedSequence(start())
            return try await next()
        case .startedSequence(let next):
            return try await next()
        case .finished:
            return nil
        }
    }

    private static func chunk(of file: FileHandle) throws -> Data? {
        #if canImport(ObjectiveC)
        // Without a pool, a loop that never suspends would keep every chunk in memory.
        return try autoreleasepool { try file.read(upToCount: chunkSize) }
        #else
        return try file.read(upToCount: chunkSize)
        #endif
    }
}

/// A file that could not be opened or read.
///
/// ``JSONElementsError`` also needs the position in the text, which only the scanner knows.
private struct UnreadableFile: Error {
    let name: String
    let underlying: any Error

    /// Runs a file operation and wraps its error together with the name of the file.
    static func catching<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw UnreadableFile(name: name, underlying: error) }
    }
}

/// Iterates over a caller's sequence of chunks, whose iterator may not be `Sendable`.
private actor ChunkReader<Chunks: AsyncSequence & Sendable> where Chunks.Element == Data {
    private let chunks: Chunks
    private var iterator: Chunks.AsyncIterator?

    init(_ chunks: Chunks) {
        self.chunks = chunks
    }

    /// Returns the next chunk, or `nil` at the end.
    func next() async throws -> Data? {
        var iterator = self.iterator ?? chunks.makeAsyncIterator()
        let chunk = try await iterator.next(isolation: self)
        self.iterator = iterator
        return chunk
    }
}
