import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct LocalUserTests {
    @Test(arguments: ["eur", "Eur", "EUR"])
    func `the currency is stored in upper case`(currency: String) {
        #expect(LocalUser(currency: currency).currency == "EUR")
    }

    @Test func `a user has by default the device’s locale`() {
        #expect(LocalUser(currency: "EUR").locale == .autoupdatingCurrent)
    }

    @Test func `users differ by currency and locale`() {
        let german = Locale(identifier: "de_DE")

        let users: Set = [
            LocalUser(currency: "EUR", locale: german),
            LocalUser(currency: "EUR", locale: Locale(identifier: "fr_FR")),
            LocalUser(currency: "CHF", locale: german),
            LocalUser(currency: "chf", locale: german),
        ]

        #expect(users.count == 3)
    }
}
