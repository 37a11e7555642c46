import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct IdentifierTests {
    // Rule: json/identifier-is-string-or-integer (1)
    @Test(arguments: ["42", "gid://shop/Product/42", "UHJvZDo3Mg==", "a b/ü?#%", "", " x "])
    func `the backend’s text is stored unchanged`(text: String) throws {
        let literal: Product.ID = "\(text)"

        #expect(Product.ID(text).rawValue == text)
        #expect(Product.ID(text).description == text)
        #expect(literal == Product.ID(text))
        #expect(try Product.ID.decoded(from: "\(text.encodedJSON())") == Product.ID(text))
    }

    // Rule: json/identifier-is-string-or-integer (1)
    @Test(arguments: [
        "0", "42", "-7", "9007199254740993", "9223372036854775807", "-9223372036854775808",
        "18446744073709551615",
    ])
    func `an integer becomes a text of its digits`(number: String) throws {
        #expect(try Product.ID.decoded(from: number) == Product.ID(number))
    }

    // Rule: json/identifier-is-string-or-integer (1)
    @Test(arguments: [
        "1.5", "-0.25", "18446744073709551616", "-9223372036854775809", "1e400", "true", "null",
        "[]", "[1]", "{}",
    ])
    func `only strings and integers are accepted`(json: String) throws {
        let page = try Page<Product.ID>.decoded(from: #"{"items": [\#(json)]}"#)

        let rejected = RejectedElement(
            index: 0,
            member: "",
            reason: "Expected a string or an integer."
        )
        #expect(page == Page([], rejected: [rejected]))
    }

    @Test func `an identifier decoded from an integer is encoded as a string`() throws {
        let id = try Product.ID.decoded(from: "42")

        #expect(try id.encodedJSON() == #""42""#)
        #expect(try Product.ID.decoded(from: id.encodedJSON()) == id)
    }

    @Test(arguments: ["0", "42", "-7", "9223372036854775807"] as [Product.ID])
    func `an identifier that is a number is an integer`(id: Product.ID) throws {
        #expect(try String(id.integer) == id.rawValue)
    }

    @Test(arguments: ["", "007", "+7", "7 ", "7.0", "boots", "9223372036854775808", "٧"])
    func `an identifier that is another text is not an integer`(text: String) {
        let error = #expect(throws: InvalidIdentifier.self) { try Product.ID(text).integer }

        #expect(error == InvalidIdentifier(text) && error?.mayHaveReachedServer == false)
        #expect(error?.debugDescription.contains("“\(text)” is not a number") == true)
    }

    @Test func `identifiers are equal if their texts are equal`() {
        let ids: Set<Product.ID> = ["1", "2", Product.ID("1")]

        #expect(ids == ["2", "1"])
        #expect(Product.ID("01") != Product.ID("1"))
    }

    @Test func `an integer and its text are the same identifier`() throws {
        #expect(try Product.ID.decoded(from: "42") == Product.ID.decoded(from: #""42""#))
    }

    @Test func `a dictionary with identifiers as keys is a JSON object`() throws {
        let stock: [Product.ID: Int] = ["boots": 3, "gid://shop/Product/42": 0]

        let json = try stock.encodedJSON()

        #expect(json == #"{"boots":3,"gid://shop/Product/42":0}"#)
        #expect(try [Product.ID: Int].decoded(from: json) == stock)
    }

    @Test func `an identifier is converted to a string and back`() {
        let id: Product.ID = "walking-boots"

        #expect(Product.ID(String(id)) == id)
        #expect("products/\(id)" == "products/walking-boots")
    }
}
