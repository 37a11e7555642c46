import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductQueryTests {
    @Test func `the empty query has no text, products or limit`() {
        let query = ProductQuery()

        #expect(query.text == "")
        #expect(query.ids.isEmpty)
        #expect(query.limit == nil)
    }

    @Test func `a string literal is a query for a text`() {
        let color = "red"

        let query: ProductQuery = "\(color) boots"

        #expect(query == ProductQuery(text: "red boots"))
    }

    @Test func `the text is stored unchanged`() {
        #expect(ProductQuery(text: " Boots & more ").text == " Boots & more ")
    }

    @Test func `queries differ by text, products and limit`() {
        let queries: Set = [
            ProductQuery(), "boots", ProductQuery(ids: ["1", "2"]), ProductQuery(ids: ["2", "1"]),
            ProductQuery(limit: 20), ProductQuery(text: "", ids: [], limit: nil),
        ]

        #expect(queries.count == 5)
    }
}
