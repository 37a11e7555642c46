import Foundation
import ProductKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MatchingTests {
    private let shop = CachedShop()

    // Caching rule 18
    @Test func `an answer is found by its address without the fragment`() async throws {
        try await shop.store("plain", "products")
        try await shop.store("query", "products?q=boots")

        #expect(try await shop.send("GET", "products#top").text == "plain")
        #expect(try await shop.send("GET", "products?q=boots#top").text == "query")
        #expect(shop.asks == 2)
        for other in ["products/", "products?", "products?q=Boots", "Products"] {
            #expect(await shop.asks(other), "\(other)")
        }
    }

    // Caching rule 19, S21
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
    func `the fields that the server selects by must be equal`(
        vary: String,
        stored: String?,
        asked: String?,
        matches: Bool
    ) async throws {
        func fields(_ value: String?) -> [String: String] { value.map { ["X-Mode": $0] } ?? [:] }
        try await shop.store(
            headers: fields(stored),
            answer: ["Cache-Control": "max-age=60", "Vary": vary]
        )

        #expect(await shop.asks(headers: fields(asked)) == !matches)
    }

    // Caching rule 19
    @Test(arguments: [
        ("Accept", "text/html", "TEXT/HTML", true), ("Accept-Language", "de-DE", "de-de", true),
        ("accept-encoding", "gzip, BR", "GZIP,br", true), ("Accept-Language", "de", "en", false),
        ("Accept-Language", "de, en", "en, de", false), ("Xaccept", "a", "A", false),
    ])
    func `in fields that begin with Accept the case means nothing`(
        name: String,
        stored: String,
        asked: String,
        matches: Bool
    ) async throws {
        try await shop.store(
            headers: [name: stored],
            answer: ["Cache-Control": "max-age=60", "Vary": name]
        )

        #expect(await shop.asks(headers: [name.uppercased(): asked]) == !matches)
    }

    // Caching rule 19, S21
    @Test func `an answer that varies on everything is not stored`() async throws {
        try await shop.store(answer: ["Cache-Control": "max-age=60", "Vary": "X-Mode, *"])

        #expect(shop.cache.entries().isEmpty)
    }

    // Caching rule 20
    @Test func `eight variants of an address are kept, the newest`() async throws {
        for language in 1...9 { try await storeLanguage("\(language)") }

        #expect(shop.cache.entries().count == 8 && shop.cache.statistics.entryCount == 1)
        for language in 2...9 {
            let answer = try await shop.send(headers: ["Accept-Language": "\(language)"])
            #expect(answer.text == "\(language)")
        }
        #expect(await shop.asks(headers: ["Accept-Language": "1"]))
    }

    // Caching rule 20
    @Test func `a new answer takes the place of the one to an equal question alone`() async throws {
        try await storeLanguage("de")
        try await storeLanguage("en")
        shop.timeline.move(by: .seconds(60))

        try await storeLanguage("DE")

        #expect(try await shop.send(headers: ["Accept-Language": "de"]).text == "DE")
        #expect(shop.cache.entries().count == 2)
        #expect(await shop.asks(headers: ["Accept-Language": "en"]))
    }

    // Caching rule 20
    @Test func `when the server selects by other fields, all that was stored goes`() async throws {
        try await storeLanguage("de")
        try await storeLanguage("en")

        try await shop.store(
            headers: ["Accept-Language": "fr", "X-Mode": "a"],
            answer: ["Cache-Control": "max-age=60", "Vary": "X-Mode, Accept-Language"]
        )

        #expect(shop.cache.entries().count == 1)
        #expect(await shop.asks(headers: ["Accept-Language": "de"]))
    }

    private func storeLanguage(_ language: String) async throws {
        try await shop.store(
            language,
            headers: ["Accept-Language": language],
            answer: ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]
        )
    }
}
