import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct OpenAPIContractTests {
    // Rule: cache/contract-names-related-urls (47)
    @Test(arguments: [
        ("favorites/boots", ["products/boots", "products", "favorites"]),
        ("favorites/a%2Fb%3F", ["products/a%2Fb%3F", "products", "favorites"]),
        ("lists/1/products/boots", ["lists/1", "lists"]), ("lists/1", ["lists"]),
        ("lists/1?a=b", ["lists"]), ("lists/1#a", ["lists"]), ("lists/%252F", ["lists"]),
        ("lists/favorites", ["lists"]),
        ("lists", []), ("favorites", []), ("products/boots", []), ("", []),
        ("lists/1/products", []), ("lists/1/other/2", []), ("favorites/a/b", []),
        ("lists/1/products/2/3", []), ("v1/lists/1", []),
    ])
    func `a write to a favorite or a list has these related URLs`(
        path: String,
        expected: [String]
    ) throws {
        let api = "https://api.example.com/v1"
        for base in [api, "\(api)/"] {
            let related = OpenAPIContract.relatedURLs(baseURL: try #require(URL(string: base)))

            let urls = related(try #require(URL(string: "\(api)/\(path)")))

            #expect(urls.map(\.absoluteString) == expected.map { "\(api)/\($0)" })
        }
    }

    // Rule: cache/contract-names-related-urls (47)
    @Test(
        arguments: [
            ("https://a.example", "https://a.example/lists/1", "https://a.example/lists"),
            ("https://a.example/", "https://a.example/lists/1", "https://a.example/lists"),
            (
                "https://a.example/b/c", "https://a.example/b/c/lists/1",
                "https://a.example/b/c/lists"
            ),
            ("https://a.example/b/c", "https://a.example/b/lists/1", nil),
            ("https://a.example/v1", "https://a.example/v10/lists/1", nil),
            ("https://a.example/v1", "https://b.example/v1/lists/1", nil),
            ("https://a.example/v1", "http://a.example/v1/lists/1", nil),
        ] as [(String, String, String?)]
    )
    func `only URLs below the base URL have related URLs`(
        base: String,
        url: String,
        expected: String?
    ) throws {
        let related = OpenAPIContract.relatedURLs(baseURL: try #require(URL(string: base)))

        let urls = related(try #require(URL(string: url)))

        #expect(urls.map(\.absoluteString) == [expected].compactMap(\.self))
    }
}
