import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ErrorTests {
    @Test func `errors are equal if their properties are equal`() {
        #expect(ProductError.notFound("1") != ProductError.notFound("2"))
        #expect(UnsupportedOperation("search") == UnsupportedOperation("search"))
        #expect(ListError.notFound("1") != .changed(current: ProductList(id: "1", name: "A")))
    }

    @Test(arguments: [
        (#"{"name": "A"}"#, "It is missing."),
        (#"{"id": [], "name": "A"}"#, "Expected a string or an integer."),
        (
            #"{"id": 1, "name": "A", "prices": [{"amount": true, "currency": "EUR"}]}"#,
            "Expected a decimal string like “19.99” or a number."
        ),
        (
            #"{"id": 1, "name": "A", "prices": [{"centAmount": 1.5, "currency": "EUR"}]}"#,
            "Expected an integer of at most 64 bits."
        ),
        (
            #"{"id": 1, "name": "A", "prices": [{"centAmount": 1, "fractionDigits": 21, "currency": "EUR"}]}"#,
            "Expected 0 to 20 digits, found 21."
        ),
    ])
    func `the reason for a rejected element contains the expected format`(
        json: String,
        reason: String
    ) throws {
        let page = try Page<Product>.decoded(from: #"{"items": [\#(json)]}"#)

        #expect(page.rejected.map(\.reason) == [reason])
    }
}
