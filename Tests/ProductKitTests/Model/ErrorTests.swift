import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ErrorTests {
    @Test(arguments: [
        (
            ProductError.notFound("boots"),
            "There is no product “boots”. It may have been removed from the shop."
        ),
        (
            ProductError.wrongProduct(expected: "boots", received: "hat"),
            "The shop returned product “hat” instead of “boots”. "
                + "The screen was not changed. Try again later."
        ),
    ])
    func `the message of a product error contains the identifier`(
        error: ProductError,
        message: String
    ) {
        #expect(error.localizedDescription == message)
    }

    @Test(arguments: [
        (ListError.notFound("9"), "There is no list “9”. It may have been deleted."),
        (
            ListError.changed(current: ProductList(id: "9", name: "Camping")),
            "The list “Camping” was changed in the meantime. Check its current products, then try again."
        ),
    ])
    func `the message of a list error contains the list and what to do`(
        error: ListError,
        message: String
    ) {
        #expect(error.localizedDescription == message)
    }

    @Test(arguments: [
        (
            InvalidPrice.amount("9,99"),
            "“9,99” is not an amount of money. Write digits with at most one decimal point, like “19.99”."
        ),
        (
            InvalidPrice.currency("€"),
            "“€” is not a currency code. Write three letters as in ISO 4217, like “EUR”."
        ),
    ])
    func `the message of an invalid price contains the expected format`(
        error: InvalidPrice,
        message: String
    ) {
        #expect(error.localizedDescription == message)
    }

    @Test func `the message of an unsupported operation contains its name`() {
        let error = UnsupportedOperation("search")

        #expect(
            error.localizedDescription
                == "This shop does not offer “search”. You can continue without it."
        )
        #expect(error.name == "search")
    }

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
