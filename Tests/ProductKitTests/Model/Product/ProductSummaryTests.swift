import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ProductSummaryTests {
    // Rule: json/absent-member-is-unknown (12)
    @Test(arguments: MemberSample.all)
    func `an absent member is unknown, null and an empty value are known`(
        sample: MemberSample
    ) throws {
        let absent = try Product.decoded(from: MemberSample.json(without: sample.name))
        let null = try Product.decoded(from: MemberSample.json(sample.name, is: "null"))
        let empty = try Product.decoded(from: MemberSample.json(sample.name, is: sample.empty))

        #expect(absent.unknownMembers == sample.member)
        #expect(null.unknownMembers == [] && empty.unknownMembers == [])
        #expect(absent == null && absent == empty)
    }

    // Rule: json/absent-member-is-unknown (12)
    @Test func `a product with all members or made by hand has no unknown members`() throws {
        let complete = try Product.decoded(from: MemberSample.json(without: ""))
        let row = try Product.decoded(from: #"{"id": 1, "name": "Boots"}"#)

        #expect(complete.unknownMembers == [])
        #expect(Product(id: "1", name: "Boots").unknownMembers == [])
        #expect(row.unknownMembers == Product.Members(MemberSample.all.map(\.member)))
    }

    // Rule: json/invalid-member-is-reported (16)
    @Test func `a summary reports the members that could not be decoded`() throws {
        let row = try Product.decoded(from: #"{"id": 1, "name": "Boots", "updatedAt": "x"}"#)

        #expect(row.summary(of: [.prices]).invalidMembers == row.invalidMembers)
        #expect(row.invalidMembers.count == 1)
    }

    // Rule: json/absent-member-is-unknown (12)
    @Test func `unknown members are not compared and not hashed`() {
        let product = Product(id: "1", name: "Boots")
        let row = product.summary(of: [])

        #expect(row == product && row.unknownMembers != product.unknownMembers)
        #expect(row.hashValue == product.hashValue)
    }

    // Rule: json/absent-member-is-unknown (12)
    @Test func `a member with a value is known`() throws {
        var product = try Product.decoded(from: #"{"id": 1, "name": "Boots"}"#)

        product.prices = [Price(minorUnits: 100, currency: "EUR")]
        product.isFavorite = true
        #expect(product.unknownMembers.isDisjoint(with: [.prices, .isFavorite]))
        #expect(product.unknownMembers.contains(.description))

        product.unknownMembers.remove(.description)
        #expect(!product.unknownMembers.contains(.description))
    }

    // Rule: json/absent-member-is-unknown (12)
    @Test func `a summary contains the identifier, the name and the members given`() throws {
        let product = try Product.decoded(from: MemberSample.json(without: "images"))

        let row = product.summary(of: [.prices, .images, .isFavorite])

        let expected = Product(id: "1", name: "Boots", prices: product.prices, isFavorite: true)
        #expect(row == expected && !row.prices.isEmpty)
        #expect(
            row.unknownMembers
                == [.description, .images, .url, .isAvailable, .updatedAt, .attributes]
        )
        #expect(row.summary(of: [.url, .isFavorite]).unknownMembers.contains([.url, .prices]))
    }

    // Rule: json/absent-member-is-unknown (12)
    @Test func `a summary is encoded without its unknown members`() throws {
        let row = Product(id: "1", name: "Boots", description: "Dry").summary(of: [.isFavorite])

        let json = try row.encodedJSON()

        #expect(json == #"{"id":"1","isFavorite":false,"name":"Boots"}"#)
        #expect(try Product.decoded(from: json).unknownMembers == row.unknownMembers)
    }
}

/// A member of a product in JSON.
struct MemberSample: Sendable {
    let member: Product.Members
    let name: String
    let value: String
    let empty: String

    static let all = [
        MemberSample(.description, "description", #""Dry""#, empty: "null"),
        MemberSample(.prices, "prices", #"[{"amount": "1", "currency": "EUR"}]"#, empty: "[]"),
        MemberSample(.images, "images", #"["a.jpg"]"#, empty: #"[""]"#),
        MemberSample(.url, "url", #""https://shop.example""#, empty: #""""#),
        MemberSample(.isAvailable, "isAvailable", "false", empty: "null"),
        MemberSample(.isFavorite, "isFavorite", "true", empty: "false"),
        MemberSample(.updatedAt, "updatedAt", #""2026-08-01T12:00:00Z""#, empty: "null"),
        MemberSample(.attributes, "attributes", #"{"brand": "Fell"}"#, empty: "{}"),
    ]

    private init(_ member: Product.Members, _ name: String, _ value: String, empty: String) {
        self.member = member
        self.name = name
        self.value = value
        self.empty = empty
    }

    /// A product with a value for every member, except for one.
    static func json(without name: String) -> String {
        let members = all.filter { $0.name != name }.map { #""\#($0.name)": \#($0.value)"# }
        return #"{"id": "1", "name": "Boots", \#(members.joined(separator: ", "))}"#
    }

    /// The same, with another value for one member.
    static func json(_ name: String, is value: String) -> String {
        json(without: name).dropLast() + #", "\#(name)": \#(value)}"#
    }
}
