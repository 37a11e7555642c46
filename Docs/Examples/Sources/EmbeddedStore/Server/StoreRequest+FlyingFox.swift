import FlyingFox
import Foundation

extension StoreRequest {
    /// Takes a request off the wire with its path and query undecoded.
    ///
    /// A body that is too large is read to its end all the same, so that what is left of it is
    /// not taken for the next request on the connection.
    init(_ incoming: HTTPRequest, limit: Int) async throws {
        var body = Data()
        var size = 0
        for try await chunk in incoming.bodySequence {
            size += chunk.count
            if size <= limit { body.append(chunk) }
        }
        let fields = incoming.headers.map { ($0.key.rawValue.lowercased(), $0.value) }
        self.init(
            method: incoming.method.rawValue,
            path: incoming.target.path(),
            query: incoming.target.query(),
            headers: Dictionary(fields) { "\($0), \($1)" },
            body: body,
            isTooLarge: size > limit
        )
    }
}
