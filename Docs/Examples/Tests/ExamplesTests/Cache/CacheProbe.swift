import Foundation
import ProductKit

/// Asks through a cache on a disk, and knows of every body whether it is the right one.
///
/// A body repeats to its end what it is the body of, in which version, and how long it is.
struct CacheProbe: Sendable {
    let cache: ResponseCache
    private let client: NetworkClient

    /// Opens a cache, with nothing in memory, over a server that has one version of everything.
    init(directory: URL, version: Int, size: Int = 64) {
        cache = ResponseCache(directory: directory)
        client = NetworkClient(
            baseURL: URL(string: "https://store.example") ?? directory,
            networking: .closure { request in
                let name = request.url?.lastPathComponent ?? ""
                return NetworkResponse(
                    headers: ["Cache-Control": "max-age=3600", "ETag": "\"\(version)\""],
                    body: Self.body(of: name, version: version, size: size),
                    url: request.url
                )
            },
            behaviors: [CachingBehavior(cache: cache)]
        )
    }

    /// What an answer was worth.
    struct Answer {
        let source: FetchSource.Code
        /// The version; `nil` when the body is not the one of what was asked.
        let version: Int?
    }

    /// Asks for something by its name; `anew` asks the server in any case.
    func ask(_ name: String, anew: Bool = false) async throws -> Answer {
        var request = NetworkRequest<NetworkResponse>.get("things", name)
        if anew { request.headers["Cache-Control"] = "no-cache" }
        let response = try await client.send(request)
        return Answer(
            source: response.source.code,
            version: Self.version(of: response.body, named: name)
        )
    }

    /// Every piece of a body describes the whole, so that no piece of another one fits.
    private static func body(of name: String, version: Int, size: Int) -> Data {
        let text = "\(name)|\(version)|\(size)|"
        return Data((text + String(repeating: text, count: size / text.utf8.count)).utf8)
    }

    private static func version(of body: Data, named name: String) -> Int? {
        let parts = String(decoding: body.prefix(64), as: UTF8.self).split(separator: "|")
        guard parts.count > 2, let version = Int(parts[1]), let size = Int(parts[2]),
            body == Self.body(of: name, version: version, size: size)
        else { return nil }
        return version
    }
}
