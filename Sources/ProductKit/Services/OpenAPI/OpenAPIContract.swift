public import Foundation

/// The contract `Docs/openapi.yaml`, which the default loader and list manager use.
///
/// ``ProductLoader/init(client:)`` and ``ListManager/init(client:)`` send its requests. This type has what a cache must
/// know about it: a write to one URL changes the responses of other URLs.
public enum OpenAPIContract: Sendable {
    /// Returns a closure that lists the URLs whose responses change when another URL is written.
    ///
    /// Pass it to ``CachingBehavior`` as `related` when you build the behaviors yourself;
    /// ``ProductService`` does so for you.
    ///
    /// | Write to | Also changes |
    /// |---|---|
    /// | `favorites/{product}` | `products/{product}`, `products`, `favorites` |
    /// | `lists/{list}/products/{product}` | `lists/{list}`, `lists` |
    /// | `lists/{list}` | `lists` |
    ///
    /// The returned URLs have the origin of `baseURL`, are below its path, and have neither query nor fragment.
    /// They end in a slash if the written URL does. For a URL that is not in the table, has another origin or
    /// is not below `baseURL`, the closure returns an empty array. It never returns the written URL itself.
    ///
    /// - Parameter baseURL: The base URL of the API, such as `https://api.example.com/v1`.
    /// - Returns: A closure from the written URL to the related URLs.
    public static func relatedURLs(baseURL: URL) -> @Sendable (URL) -> [URL] {
        let base = baseURL.path(percentEncoded: true).split(separator: "/")
        return { url in
            let path = url.path(percentEncoded: true).split(separator: "/")
            guard url.hasSameOrigin(as: baseURL), path.starts(with: base),
                var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
            else { return [] }
            let end = components.percentEncodedPath.hasSuffix("/") ? "/" : ""
            components.percentEncodedQuery = nil
            components.fragment = nil
            return relatedPaths(Array(path.dropFirst(base.count))).compactMap { related in
                components.percentEncodedPath = "/" + (base + related).joined(separator: "/") + end
                return components.url
            }
        }
    }

    /// The table of ``relatedURLs(baseURL:)``, in percent-encoded path segments below the base URL.
    private static func relatedPaths(_ segments: [Substring]) -> [[Substring]] {
        switch (segments.first, segments.count) {
        case ("favorites", 2): [["products", segments[1]], ["products"], ["favorites"]]
        case ("lists", 4) where segments[2] == "products": [["lists", segments[1]], ["lists"]]
        case ("lists", 2): [["lists"]]
        default: []
        }
    }
}
