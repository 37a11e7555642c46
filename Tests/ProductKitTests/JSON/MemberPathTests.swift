import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct MemberPathTests {
    private let response = NetworkResponse.json(
        #"{"a": {"b": [{"c": 1}, {"c": 2}]}, "x.y": {"z[0]": 3}, "n": null, "d": "2024-01-01"}"#
    )

    @Test(
        arguments: [
            ("a.b[0].c", 1), ("a.b[1].c", 2), (["x.y", "z[0]"], 3),
        ] as [(MemberPath, Int)]
    )
    func `a path leads to a value`(path: MemberPath, value: Int) throws {
        #expect(try response.json(Int.self, at: path) == value)
    }

    @Test func `the empty path means the whole text`() throws {
        #expect(try NetworkResponse.json("7").json(Int.self, at: "") == 7)
        #expect(try NetworkResponse.json("[[1, 8]]").json(Int.self, at: "[0][1]") == 8)
    }

    @Test(
        arguments: [
            ("a.q", "a.q", "It is missing."), ("a.q.r", "a.q", "It is missing."),
            ("a.b[2].c", "a.b[2]", "It is missing."), ("n", "n", ""),
            ("n.c", "n", ""), ("a.b[0].c.d", "a.b[0].c", ""), ("a.c[0]", "a.c", ""),
            ("a[0]", "a", ""), ("a.b", "a.b", ""), ("x.y", "x", ""), ("a.b[x]", "a.b[x]", ""),
        ] as [(MemberPath, String, String)]
    )
    func `an error contains the path of the first invalid member`(
        path: MemberPath,
        member: String,
        reason: String
    ) throws {
        let error = try #require(
            #expect(throws: NetworkError.self) { try response.json(Int.self, at: path) }
        )

        #expect(error.code == .unreadable)
        #expect(error.debugDescription.contains("“\(member)”"), "\(error.debugDescription)")
        #expect(
            reason.isEmpty || error.debugDescription.contains(reason),
            "\(error.debugDescription)"
        )
    }

    @Test func `an optional value can be missing or null only at the end of the path`() throws {
        #expect(try response.json(Int?.self, at: "n") == .some(nil))
        #expect(try response.json(Int?.self, at: "a.q") == .some(nil))
        #expect(throws: NetworkError.self) { try response.json(Int?.self, at: "q.r") }
        #expect(throws: NetworkError.self) { try response.json(Int?.self, at: "n.r") }
    }

    @Test func `URLs and decimals are decoded as usual`() throws {
        let response = NetworkResponse.json(#"{"u": {"url": "https://a.example"}, "p": 19.99}"#)

        #expect(try response.json(URL.self, at: "u.url").host() == "a.example")
        #expect(try response.json(Decimal.self, at: "p") == Decimal(string: "19.99"))
    }

    @Test func `a part of a body is decoded with the limits of a whole body`() throws {
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        let bodies = ["{\"a\": 1, \"b\": \(deep)}", "<html>", "", "{\"a\": 1"]

        for body in bodies {
            let error = #expect(throws: NetworkError.self) {
                try NetworkResponse.json(body).json(Int.self, at: "a")
            }
            #expect(error?.code == .unreadable)
        }
    }

    @Test func `an error of the closure is thrown with the path`() throws {
        let error = #expect(throws: DecodingError.self) {
            try MemberPath("offers[1]").reading {
                try MemberPath("price").reading { try Price("abc", currency: "EUR") }
            }
        }

        guard case .dataCorrupted(let context) = error else { throw try #require(error) }
        #expect(context.codingPath.map(\.stringValue) == ["offers", "1", "price"])
        #expect(context.codingPath[1].intValue == 1)
        #expect(context.debugDescription.contains("“abc” is not an amount of money"))
    }

    @Test func `the value of the closure is returned unchanged`() throws {
        let price = try MemberPath("price").reading { try Price("2.50", currency: "EUR") }

        #expect(price == Price(minorUnits: 250, currency: "EUR"))
    }
}
