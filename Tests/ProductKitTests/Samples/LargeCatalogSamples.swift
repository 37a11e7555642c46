import Foundation
import ProductKit
import Testing

/// The fences about large catalogs.
@Suite(.timeLimit(.minutes(5))) struct LargeCatalogSamples {
    @Test func `pages`() async throws {
        var shown: [Product] = []
        func show(_ products: [Product]) { shown += products }
        let loader = ProductLoader(
            load: { id in Product(id: id, name: "Walking Boots") },
            search: { query, cursor in
                Page([Product(id: "\(cursor?.rawValue ?? "1")", name: query.text)], next: "2")
            }
        )

        for try await page in loader.pages(matching: "boots") {
            show(page.items)
        }

        #expect(shown.map(\.id) == ["1", "2"])
    }

    @Test func `elements`() async throws {
        var shown: [Product] = []
        func show(_ products: [Product]) { shown += products }
        let file = FileManager.default.temporaryDirectory
            .appending(path: "catalog-\(UUID().uuidString).json")
        try Data(#"{"items": [{"id": 1, "name": "Walking Boots"}]}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        for try await batch in JSONElements<Product>(contentsOf: file, in: "items") {
            show(batch.elements)
        }

        #expect(shown.map(\.name) == ["Walking Boots"])
    }
}
