import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct ErrorTests {
    @Test(arguments: [
        (
            ProductError.notFound("boots"),
            "There is no product “boots”; it may have been removed from the shop."
        ),
        (
            ProductError.wrongProduct(expected: "boots", received: "hat"),
            "The shop answered with product “hat” instead of “boots”; nothing was changed."
        ),
    ])
    func `a product’s error says which product and what became of it`(
        error: ProductError,
        message: String
    ) {
        #expect(error.localizedDescription == message)
    }

    @Test(arguments: [
        (ListError.notFound("9"), "There is no list “9”; it may have been deleted."),
        (
            ListError.changed(current: ProductList(id: "9", name: "Wishes")),
            "The list “Wishes” was changed meanwhile; look at it again before you change it."
        ),
    ])
    func `a list’s error says which list and what to do`(error: ListError, message: String) {
        #expect(error.localizedDescription == message)
    }

    @Test(arguments: [
        (
            InvalidPrice.amount("9,99"),
            "“9,99” is no amount of money; write digits with at most one point, like “19.99”."
        ),
        (
            InvalidPrice.currency("€"),
            "“€” is no currency; write an ISO 4217 code of three letters, like “EUR”."
        ),
    ])
    func `an invalid price says what to write instead`(error: InvalidPrice, message: String) {
        #expect(error.localizedDescription == message)
    }

    @Test func `an unsupported operation says what to give`() {
        let error = UnsupportedOperation("search")

        #expect(
            error.localizedDescription
                == "This shop does not offer “search”; go on without it."
        )
        #expect(error.name == "search")
    }

    @Test func `errors are equal when they tell the same`() {
        #expect(ProductError.notFound("1") != ProductError.notFound("2"))
        #expect(UnsupportedOperation("search") == UnsupportedOperation("search"))
        #expect(ListError.notFound("1") != .changed(current: ProductList(id: "1", name: "A")))
    }

    @Test(arguments: [
        (#"{"name": "A"}"#, "It is missing."),
        (#"{"id": [], "name": "A"}"#, "Expected a string or an integer."),
        (
            #"{"id": 1, "name": "A", "url": "http://[::1"}"#,
            "Expected a URL, found “http://[::1”."
        ),
        (
            #"{"id": 1, "name": "A", "prices": [{"amount": true, "currency": "EUR"}]}"#,
            "Expected a decimal text like “19.99” or a number."
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
    func `a rejected element says what was expected`(json: String, reason: String) throws {
        let page = try Page<Product>.reading(#"{"items": [\#(json)]}"#)

        #expect(page.rejected.map(\.reason) == [reason])
    }
}
