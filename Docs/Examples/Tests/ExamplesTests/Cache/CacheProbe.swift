import Foundation
import ProductKit

/// Loads resources through a cache on disk, and checks the body of each response.
///
/// A body repeats the name of its resource, its version and its size until its end.
struct CacheProbe: Sendable {
    let cache: ResponseCache
    private let baseURL: URL
    private let client: NetworkClient

    /// Creates a cache with an empty memory, and a server that has one version of each resource.
    init(directory: URL, version: Int, size: Int = 64) {
        cache = ResponseCache(directory: directory)
        baseURL = URL(string: "https://store.example") ?? directory
        client = NetworkClient(
            baseURL: baseURL,
            networking: .closure { request in
                let name = request.url?.lastPathComponent ?? ""
                return NetworkResponse(
                    headers: ["Cache-Control": "max-age=3600", "ETag": "\"\(version)\""],
                    body: Self.body(of: name, version: version, size: size),
                    url: request.url
                )
            },
            behaviors: [CachingBehavior(cache: cache, partition: { "" })]
        )
    }

    /// The source of a response, and the version in its body.
    struct Result {
        let source: FetchSource.Code
        /// The version; `nil` if the body is not that of the requested resource.
        let version: Int?
    }

    /// Loads a resource by its name, from the server if `reload` is set.
    func load(_ name: String, reload: Bool = false) async throws -> Result {
        let request = NetworkRequest(method: "GET", segments: ["things", name]) { $0 }
            .header("Cache-Control", reload ? "no-cache" : nil)
        let response = try await client.send(request)
        return Result(
            source: response.source.code,
            version: Self.version(of: response.body, named: name)
        )
    }

    /// Invalidates a resource by its name.
    func invalidate(_ name: String) {
        cache.invalidate(baseURL.appending(components: "things", name), partition: "")
    }

    /// Each part of a body identifies the whole body, so that parts of two bodies never match.
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
