import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkHeadersTests {
    @Test(arguments: [
        ("ETag", "7"), ("etag", "7"), ("ETAG", "7"), ("eTaG", "7"), ("Link", nil), ("", nil),
    ])
    func `a field is found in any case of its name`(name: String, value: String?) {
        let headers: NetworkHeaders = ["ETag": "7"]

        #expect(headers[name] == value)
    }

    @Test func `setting a field in another case replaces its value`() {
        var headers: NetworkHeaders = ["Accept": "text/html"]

        headers["ACCEPT"] = "application/json"

        #expect(headers.map(\.name) == ["Accept"])
        #expect(headers["accept"] == "application/json")
    }

    @Test func `setting nil removes a field or does nothing`() {
        var headers: NetworkHeaders = ["Accept": "text/html", "ETag": "1"]

        headers["accept"] = nil
        headers["Link"] = nil

        #expect(headers == ["ETag": "1"])
    }

    @Test func `the last value of equal names is used`() {
        let literal: NetworkHeaders = ["a": "1", "A": "2"]
        let sequence = NetworkHeaders([(name: "a", value: "1"), (name: "A", value: "2")])

        #expect(literal["a"] == "2")
        #expect(sequence == literal)
    }

    @Test func `fields have the order in which they were added`() {
        let headers: NetworkHeaders = ["B": "1", "A": "2", "C": "3", "b": "4"]

        #expect(headers.map(\.name) == ["B", "A", "C"])
        #expect(headers.map(\.value) == ["4", "2", "3"])
    }

    // Rule: security/response-size-is-limited (26)
    @Test(arguments: [
        (999, 1, false), (1_000, 1, false), (1_001, 1, true), (1, 262_139, false),
        (1, 262_140, true), (2, 131_067, false), (2, 131_068, true),
    ])
    func `a response may have 1,000 header fields with 256 KiB`(
        count: Int,
        valueSize: Int,
        exceedsLimits: Bool
    ) {
        let value = String(repeating: "é", count: valueSize / 2) + (valueSize % 2 == 1 ? "a" : "")
        let headers = NetworkHeaders(
            (0..<count).map { (name: "X-\(1_000 + $0)".suffix(5).description, value: value) }
        )

        #expect(headers.exceedsLimits == exceedsLimits)
    }

    /// Apple's session makes a character of each byte of a field.
    @Test(arguments: [
        ("/p/gr\u{C3}\u{B6}\u{C3}\u{9F}e", "/p/größe"), ("/p/gr%C3%B6", "/p/gr%C3%B6"),
        ("/p/gr\u{F6}\u{DF}e", "/p/größe"), ("/p/größe 測", "/p/größe 測"), ("", ""),
    ])
    func `an address in UTF-8 is decoded`(received: String, text: String) {
        #expect(received.decodedFromLatin1 == text)
    }

    @Test func `equality ignores the order and the case of names`() {
        let one: NetworkHeaders = ["Accept": "a", "ETag": "b"]
        let other: NetworkHeaders = ["etag": "b", "ACCEPT": "a"]

        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
    }

    @Test(
        arguments: [
            ["Accept": "A"], ["Accept": "a", "ETag": "b"], ["Accepts": "a"], [:],
        ] as [NetworkHeaders]
    )
    func `headers with other values or names are not equal`(other: NetworkHeaders) {
        #expect(["Accept": "a"] as NetworkHeaders != other)
        #expect(other != ["Accept": "a"] as NetworkHeaders)
    }

    @Test(arguments: [("k", "\u{212A}"), ("\u{E9}", "e\u{301}"), ("[", "{"), ("@", "`")])
    func `names that are equal only in Unicode are different fields`(one: String, other: String) {
        let headers: NetworkHeaders = [one: "1", other: "2"]

        #expect(headers[one] == "1")
        #expect(headers[other] == "2")
        #expect(Set([headers, [other: "2", one: "1"]]).count == 1)
    }
}
