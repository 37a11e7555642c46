import Foundation
import ProductKit
import Testing

/// Members of the wrong type that lose neither their product nor their page, and are reported.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InvalidMemberTests {
    private static let long = String(repeating: "a", count: 512)
    private static let short = long.prefix(480)

    // Rule: json/invalid-member-is-reported (16)
    @Test(arguments: [
        (#""description": 4"#, "description", Product.Members.description),
        (#""images": "https://images.example/1.jpg""#, "images", .images),
        (#""images": {"main": "a.jpg"}"#, "images", .images),
        (#""url": 5"#, "url", .url),
        (#""url": "http://[::1""#, "url", .url),
        (#""isAvailable": "yes""#, "isAvailable", .isAvailable),
        (#""isAvailable": 1"#, "isAvailable", .isAvailable),
        (#""isFavorite": 0"#, "isFavorite", .isFavorite),
        (#""updatedAt": 1785578400"#, "updatedAt", .updatedAt),
        (#""updatedAt": "yesterday""#, "updatedAt", .updatedAt),
        (#""attributes": ["brand"]"#, "attributes", .attributes),
    ])
    func `a member of another type has no value and is reported`(
        member: String,
        path: String,
        unknown: Product.Members
    ) throws {
        let page = try Page<Product>.decoded(
            from: #"{"items": [{"id": 1, "name": "A", \#(member)}, {"id": 2, "name": "B"}]}"#
        )

        #expect(page.items.map(\.id) == ["1", "2"] && page.rejected == [])
        #expect(page.items[0] == Product(id: "1", name: "A"))
        #expect(page.items[0].invalidMembers.map(\.path) == [path])
        #expect(page.items[0].invalidMembers.allSatisfy { !$0.reason.isEmpty })
        #expect(page.items[0].unknownMembers.contains(unknown))
        #expect(page.items[1].invalidMembers == [])
    }

    // Rule: json/invalid-member-is-reported (16)
    @Test func `of images and attributes only the invalid ones are left out`() throws {
        let product = try Product.decoded(
            from: """
                {"id": 1, "name": "A", "images": ["a.jpg", 2, null, "http://[::1", {"src": []}, "b.jpg"],
                 "attributes": {"brand": "Fell", "pages": 101, "tags": ["a"], "size": "42"}}
                """
        )

        #expect(product.images.map(\.absoluteString) == ["a.jpg", "b.jpg"])
        #expect(product.attributes == ["brand": "Fell", "size": "42"])
        #expect(
            Set(product.invalidMembers.map(\.path)) == [
                "images[1]", "images[3]", "images[4]", "attributes.pages", "attributes.tags",
            ]
        )
        #expect(!product.unknownMembers.contains(.images))
    }

    // Rule: json/invalid-member-is-reported (16)
    @Test func `after a hundred invalid members of a product the rest of them is left out`() throws
    {
        let images = Array(repeating: "1", count: 500).joined(separator: ", ")
        let attributes = (1...500).map { #""\#($0)": \#($0)"# }.joined(separator: ", ")

        let product = try Product.decoded(
            from: #"""
                {"id": 1, "name": "A", "images": ["a.jpg", \#(images)], "url": 5,
                 "attributes": {\#(attributes)}}
                """#
        )

        #expect(product.name == "A" && product.images == [] && product.url == nil)
        #expect(product.invalidMembers.count == 100)
    }

    // Rule: json/invalid-member-is-reported (16)
    @Test func `the path of an invalid member begins at its product`() throws {
        let pages = try [String: Page<Product>].decoded(
            from: #"{"data": {"items": [{"id": 1, "name": "A", "attributes": {"size": 42}}]}}"#
        )

        #expect(pages["data"]?.items.first?.invalidMembers.map(\.path) == ["attributes.size"])
    }

    // Rule: json/invalid-member-is-reported (16)
    @Test func `reports do not change whether products are equal`() throws {
        let invalid = try Product.decoded(from: #"{"id": 1, "name": "A", "url": 5}"#)
        let valid = Product(id: "1", name: "A")

        #expect(invalid == valid && invalid.hashValue == valid.hashValue)
    }

    // Rule: json/relative-url-is-resolved (18)
    @Test(arguments: [
        ("//cdn.example/a.jpg", "https://cdn.example/a.jpg"),
        ("/media/a.jpg", "https://shop.example/media/a.jpg"),
        ("a.jpg", "https://shop.example/api/products/a.jpg"),
        ("../a.jpg?w=2", "https://shop.example/api/a.jpg?w=2"),
        ("https://images.example/a.jpg", "https://images.example/a.jpg"),
        ("data:image/png;base64,AA==", "data:image/png;base64,AA=="),
    ])
    func `a relative URL is resolved against that of the response`(text: String, url: String) throws
    {
        let response = NetworkResponse(
            body: Data(#"{"id": 1, "name": "A", "url": "\#(text)", "images": ["\#(text)"]}"#.utf8),
            url: URL(string: "https://shop.example/api/products/1")
        )

        let product = try response.json(Product.self)

        #expect(product.url?.absoluteString == url)
        #expect(product.images.map(\.absoluteString) == [url])
    }

    // Rule: json/relative-url-is-resolved (18)
    @Test(arguments: [
        ("\(long)/1", "a.jpg"),
        ("\(short)/1", "https://shop.example/\(short)/a.jpg"),
        ("1?ids=\(long)", "https://shop.example/a.jpg"),
        ("1#\(long)", "https://shop.example/a.jpg"),
    ])
    func `a relative URL is not resolved against a long path`(path: String, url: String) throws {
        let response = NetworkResponse(
            body: Data(#"{"id": 1, "name": "A", "images": ["a.jpg"]}"#.utf8),
            url: URL(string: "https://shop.example/\(path)")
        )

        #expect(try response.json(Product.self).images.map(\.absoluteString) == [url])
    }

    // Rule: json/relative-url-is-resolved (18)
    @Test func `without a response a relative URL stays relative`() throws {
        let product = try Product.decoded(
            from: #"{"id": 1, "name": "A", "images": ["//cdn.example/a.jpg"]}"#
        )

        #expect(product.images.map(\.absoluteString) == ["//cdn.example/a.jpg"])
    }
}
