import Foundation

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
