public import Foundation

/// The elements of a JSON array, read in batches that never hold the whole of it.
///
/// Use it for a catalog in a file, or for bytes that are still on their way: a text of any size
/// is read in a few megabytes.
///
/// ```swift
/// for try await batch in JSONElements<Product>(contentsOf: file, in: "items") {
///     show(batch.elements)
/// }
/// ```
///
/// An element that cannot be read costs no other; it is reported in ``Batch/rejected``. An error in
/// the array itself is thrown as ``JSONElementsError``, after the elements before it were given out.
/// Members around the array are passed over, and checked at the end. When a member stands twice in
/// its object, the first counts.
///
/// The text is UTF-8 and may begin with a byte order mark. Reading begins with the loop, and each
/// loop begins anew. Decoding leaves the caller's actor.
public struct JSONElements<Value: Decodable & Sendable>: Sendable {
    /// How many bytes an element may have, at least 1; 16 MiB by default.
    ///
    /// What stands around the array may have as many.
    public var maximumElementSize = 16 * 1_024 * 1_024

    private let source: JSONPieces
    private let path: [String]

    /// Reads a file, 64 KiB at a time.
    ///
    /// The file is opened when a loop begins; one that cannot be read fails the loop.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - members: The members that lead from the outermost object to the array; none when the
    ///     array is outermost.
    public init(contentsOf url: URL, in members: String...) {
        source = .file(url)
        path = members
    }

    /// Reads bytes that are there already.
    ///
    /// - Parameters:
    ///   - data: The text.
    ///   - members: The members that lead from the outermost object to the array; none when the
    ///     array is outermost.
    public init(_ data: Data, in members: String...) {
        source = .data(data)
        path = members
    }

    /// Reads bytes that come piece by piece, cut anywhere.
    ///
    /// The next piece is asked for when the one before is used up. What the pieces throw fails the
    /// loop, after the elements before were given out. Only pieces that can be had again can be read
    /// in a second loop; a stream cannot.
    ///
    /// - Parameters:
    ///   - pieces: The text in pieces of any size, empty ones included.
    ///   - members: The members that lead from the outermost object to the array; none when the
    ///     array is outermost.
    public init<Pieces: AsyncSequence & Sendable>(pieces: Pieces, in members: String...)
    where Pieces.Element == Data {
        source = .sequence {
            let reader = PieceReader(pieces)
            return { try await reader.next() }
        }
        path = members
    }
}

extension JSONElements {
    /// Neighboring elements of the array, at most 64.
    public struct Batch {
        /// The elements that could be read, in the array's order; none when all were rejected.
        public let elements: [Value]
        /// The others; their ``RejectedElement/index`` counts from the start of the whole array.
        public let rejected: [RejectedElement]
    }
}

extension JSONElements.Batch: Sendable {}
extension JSONElements.Batch: Equatable where Value: Equatable {}
extension JSONElements.Batch: Hashable where Value: Hashable {}

extension JSONElements: AsyncSequence {
    /// Begins to read.
    ///
    /// - Precondition: ``maximumElementSize`` is at least 1.
    public func makeAsyncIterator() -> Iterator {
        precondition(maximumElementSize > 0, "maximumElementSize must be at least 1.")
        return Iterator(
            pieces: source,
            scanner: JSONArrayScanner(path: path, maximumSize: maximumElementSize)
        )
    }

    /// Reads one batch after another.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var pieces: JSONPieces
        private var scanner: JSONArrayScanner
        private var piece = Data()
        private var position = 0
        private var isOver = false
        private var failure: (any Error)?

        fileprivate init(pieces: JSONPieces, scanner: JSONArrayScanner) {
            self.pieces = pieces
            self.scanner = scanner
        }

        /// Reads the next batch, away from the caller's actor.
        ///
        /// - Returns: The batch; `nil` at the end, and after an error was thrown.
        /// - Throws: ``JSONElementsError`` when the text holds no whole array, `CancellationError`
        ///   when the calling task was cancelled, ``UnreadableFile`` for a file,
        ///   and what the pieces throw.
        @concurrent public mutating func next() async throws -> Batch? {
            guard !isOver || failure != nil else { return nil }
            do {
                try Task.checkCancellation()
                guard let batch = try await nextBatch() else { return nil }
                let read = batch.decoded(as: Value.self)
                return Batch(elements: read.items, rejected: read.rejected)
            } catch {
                end(with: nil)
                // Streams end early, and networks fail in their own words, when a task is cancelled.
                throw Task.isCancelled ? CancellationError() : error
            }
        }

        private mutating func nextBatch() async throws -> JSONBatch? {
            while !isOver {
                do {
                    if let batch = try scanner.scan(piece, from: &position) { return batch }
                    try Task.checkCancellation()
                    if let next = try await pieces.next() {
                        piece = next
                        position = 0
                    } else {
                        try scanner.finish()
                        end(with: nil)
                    }
                } catch let error where !Task.isCancelled {
                    // What was complete before is given out first.
                    end(with: error)
                }
                if isOver, let rest = scanner.takeRest() { return rest }
            }
            if let failure { throw failure }
            return nil
        }

        private mutating func end(with failure: (any Error)?) {
            isOver = true
            self.failure = failure
            pieces = .none
            piece = Data()
        }
    }
}

/// The pieces of a text, from wherever they come.
enum JSONPieces: Sendable {
    case file(URL)
    case opened(FileHandle, URL)
    case data(Data)
    case sequence(@Sendable () -> @Sendable () async throws -> Data?)
    case begun(@Sendable () async throws -> Data?)
    case none

    private static let chunk = 64 * 1_024

    /// The next piece; `nil` at the end.
    mutating func next() async throws -> Data? {
        switch self {
        case .file(let url):
            let file = try UnreadableFile.naming(url) { try FileHandle(forReadingFrom: url) }
            self = .opened(file, url)
            return try await next()
        case .opened(let file, let url):
            return try UnreadableFile.naming(url) { try Self.piece(of: file) }
        case .data(let data):
            self = .none
            return data
        case .sequence(let begin):
            self = .begun(begin())
            return try await next()
        case .begun(let next):
            return try await next()
        case .none:
            return nil
        }
    }

    private static func piece(of file: FileHandle) throws -> Data? {
        #if canImport(ObjectiveC)
        // A loop that never waits would never let go of what was read.
        return try autoreleasepool { try file.read(upToCount: chunk) }
        #else
        return try file.read(upToCount: chunk)
        #endif
    }
}

/// Asks a stranger's sequence for its pieces, one at a time.
actor PieceReader<Pieces: AsyncSequence & Sendable> where Pieces.Element == Data {
    private let pieces: Pieces
    private var iterator: Pieces.AsyncIterator?

    init(_ pieces: Pieces) {
        self.pieces = pieces
    }

    /// The next piece; `nil` at the end.
    func next() async throws -> Data? {
        var iterator = self.iterator ?? pieces.makeAsyncIterator()
        let piece = try await iterator.next(isolation: self)
        self.iterator = iterator
        return piece
    }
}
