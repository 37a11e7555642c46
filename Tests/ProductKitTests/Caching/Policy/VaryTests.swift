import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct VaryTests {
    private let client = CachedClient()

    // Rule: cache/key-is-partition-and-url (18)
    @Test func `a stored response is found by its URL without the fragment`() async throws {
        try await client.store("plain", "products")
        try await client.store("query", "products?q=boots")

        #expect(try await client.send("GET", "products#top").text == "plain")
        #expect(try await client.send("GET", "products?q=boots#top").text == "query")
        #expect(client.requestCount == 2)
        for other in ["products/", "products?", "products?q=Boots", "Products"] {
            #expect(await client.sendsRequest(other), "\(other)")
        }
    }

    // Rule: cache/key-is-partition-and-url (18)
    @Test(arguments: [
        ("%7eboots", "~boots", true), ("%c3%a4", "%C3%A4", true), ("%41%2d%5F", "A-_", true),
        ("a%2fb", "a%2Fb", true), ("a%2Fb", "a/b", false), ("a%3Fb", "a?b", false),
        ("a?q=%62", "a?q=b", true), ("a%20b#%20", "a%20b", true), ("%2541", "%41", false),
        ("%8a", "%8A", true), ("%0a", "%0A", true),
    ])
    func `equivalent percent-encodings are one cache key`(
        stored: String,
        sent: String,
        isEqual: Bool
    ) async throws {
        try await client.store("stored", stored)

        #expect(await client.sendsRequest(sent) != isEqual)
        client.cache.invalidate(.shop(sent), partition: "")
        #expect(await client.sendsRequest(stored) == isEqual)
    }

    // Rule: cache/vary-fields-must-match (19); security/vary-is-obeyed (21)
    @Test(arguments: [
        ("X-Mode", "a", "a", true), ("X-Mode", "a", "b", false), ("X-Mode", "a", "A", false),
        ("x-mode", "a", "a", true), (" X-Mode ", "a", "a", true), ("X-Mode,", "a", "a", true),
        ("X-Mode", "a", nil, false), ("X-Mode", nil, "a", false), ("X-Mode", nil, nil, true),
        ("X-Mode", "a, b", "a,b", true), ("X-Mode", "a ,\tb", "a,  b", true),
        ("X-Mode", "a, b", "b, a", false), ("X-Mode", "a b", "a  b", false),
        ("X-Mode", " a ", "a", true), ("X-Other", "a", "b", true),
        ("X-Mode", "", nil, true), ("X-Mode, X-Other", "a", "b", false),
        ("X-Other, X-Mode", "a", "b", false), ("X-Mode", "ä", "Ä", false),
        ("*", "a", "a", false), ("X-Mode, *", "a", "a", false), ("", "a", "b", true),
    ])
    func `vary fields must be equal`(
        vary: String,
        stored: String?,
        sent: String?,
        matches: Bool
    ) async throws {
        func fields(_ value: String?) -> [String: String] { value.map { ["X-Mode": $0] } ?? [:] }
        try await client.store(
            headers: fields(stored),
            responseHeaders: ["Cache-Control": "max-age=60", "Vary": vary]
        )

        #expect(await client.sendsRequest(headers: fields(sent)) == !matches)
    }

    // Rule: cache/vary-fields-must-match (19)
    @Test(arguments: [
        ("Accept", "text/html", "TEXT/HTML", true), ("Accept-Language", "de-DE", "de-de", true),
        ("accept-encoding", "gzip,BR", "GZIP, br", true), ("Accept-Language", "de", "en", false),
        ("Accept-Language", "de, en", "en, de", false), ("Xaccept", "a", "A", false),
    ])
    func `vary fields that begin with Accept are compared case-insensitively`(
        name: String,
        stored: String,
        sent: String,
        matches: Bool
    ) async throws {
        try await client.store(
            headers: [name: stored],
            responseHeaders: ["Cache-Control": "max-age=60", "Vary": name]
        )

        #expect(await client.sendsRequest(headers: [name.uppercased(): sent]) == !matches)
    }

    // Rule: cache/vary-fields-must-match (19)
    @Test(arguments: [(100, true), (101, false)])
    func `a response that varies on more than 100 fields is not stored`(
        count: Int,
        isStored: Bool
    ) async throws {
        let names = (1...count).map { "X-\($0)" }.joined(separator: ", ")
        try await client.store(responseHeaders: ["Cache-Control": "max-age=60", "Vary": names])

        #expect(await client.sendsRequest() == !isStored)
    }

    // Rule: cache/vary-fields-must-match (19); cache/memory-is-limited (50)
    @Test func `the values of vary fields count as bytes in memory`() async throws {
        try await client.storeVariant(String(repeating: "a", count: 1_000), "")

        #expect(client.cache.statistics.byteCount > 1_000)
    }

    // Rule: cache/eight-variants (20)
    @Test func `the newest eight variants of a URL are stored`() async throws {
        for mode in 1...9 { try await client.storeVariant("\(mode)") }

        #expect(client.cache.summaries().count == 8)
        for mode in 2...9 {
            #expect(try await client.send(headers: ["X-Mode": "\(mode)"]).text == "\(mode)")
        }
        #expect(await client.sendsRequest(headers: ["X-Mode": "1"]))
    }

    // Rule: cache/eight-variants (20)
    @Test func `a response replaces only the variant with equal vary fields`() async throws {
        for mode in ["a", "b"] { try await client.storeVariant(mode) }
        client.clock.advance(by: .seconds(60))

        try await client.storeVariant("a", "new")

        #expect(try await client.send(headers: ["X-Mode": "a"]).text == "new")
        #expect(client.cache.summaries().count == 2)
        #expect(await client.sendsRequest(headers: ["X-Mode": "b"]))
    }

    // Rule: cache/eight-variants (20); cache/vary-fields-must-match (19)
    @Test func `a language in another case is no further variant`() async throws {
        for language in ["de", "en", "DE"] {
            try await client.store(
                headers: ["Accept-Language": language],
                responseHeaders: ["Cache-Control": "max-age=0", "Vary": "Accept-Language"]
            )
        }

        #expect(client.cache.summaries().count == 2)
    }

    // Rule: cache/eight-variants (20)
    @Test func `a response with other vary fields replaces all variants`() async throws {
        for mode in ["a", "b"] { try await client.storeVariant(mode) }

        try await client.store(
            headers: ["X-Mode": "c", "X-Other": "a"],
            responseHeaders: ["Cache-Control": "max-age=60", "Vary": "X-Other, X-Mode"]
        )

        #expect(client.cache.summaries().count == 1)
        #expect(await client.sendsRequest(headers: ["X-Mode": "a"]))
    }
}
