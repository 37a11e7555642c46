import Foundation

/// One entry of the cache as a file holds it: whose it is, its address and up to eight answers.
///
/// Sixteen bytes say that it is ours, in which version, and whether a mutation has made all of it
/// old; these alone change once the file is written. Then comes a checksum of all the rest, then
/// the rest. A file that is anything else is no entry: nothing in it is believed before the checksum
/// is right, and no length in it before it is compared with what is left of the file.
struct CacheFile: Hashable, Sendable {
    /// What the entry is found by.
    let key: CacheKey
    /// The answers, between one and eight.
    var responses: [StoredResponse]

    /// The most answers that an entry has.
    static let maximumVariants = 8
    /// The most fields that an answer has.
    static let maximumFields = 1_000
    /// The moments that are believed; a calculation with one further away could fail.
    static let moments = Date.distantPast...Date.distantFuture

    /// How a file begins.
    enum Mark: UInt64 {
        /// "current", read backwards.
        case current = 0x0174_6E65_7272_7563
        /// "expired", read backwards.
        case expired = 0x0164_6572_6970_7865

        /// Where in the file it is.
        static let offset = 8
    }

    /// "ProdKit" and the version, read backwards.
    static let magic: UInt64 = 0x0174_694B_646F_7250
    /// Where the checksum of all that follows it is.
    static let checksumOffset = 16
    /// Where the rest begins.
    static let contentOffset = 24
}

extension CacheFile {
    /// Reads a file; `nil` for anything that ``data`` has not made.
    init?(_ data: Data) {
        guard let file = data.withUnsafeBytes({ CacheFile($0) }) else { return nil }
        self = file
    }

    /// Reads a file that lies in memory; bodies are copied out of it once.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = CacheFileReader(bytes)
        guard reader.word() == Self.magic, let mark = reader.word().flatMap(Mark.init),
            let checksum = reader.word(), checksum == .checksum(of: reader.rest),
            let scope = reader.text(), let url = reader.text(),
            let count = reader.count(upTo: Self.maximumVariants), count > 0
        else { return nil }
        responses = []
        for _ in 0..<count {
            guard var response = reader.response() else { return nil }
            response.isExpired = response.isExpired || mark == .expired
            responses.append(response)
        }
        guard reader.rest.isEmpty else { return nil }
        key = CacheKey(scope: scope, url: url)
    }
}
