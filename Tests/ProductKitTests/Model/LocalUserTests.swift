import Foundation
import ProductKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct LocalUserTests {
    @Test(arguments: ["eur", "Eur", "EUR"])
    func `the currency is stored in upper case`(currency: String) {
        #expect(LocalUser(currency: currency).currency == "EUR")
    }

    @Test func `a user is by default a guest with the device’s locale`() {
        let user = LocalUser(currency: "EUR")

        #expect(user.id == nil)
        #expect(user.locale == .autoupdatingCurrent)
    }

    @Test func `users differ by currency, locale and identifier`() {
        let german = Locale(identifier: "de_DE")

        let users: Set = [
            LocalUser(currency: "EUR", locale: german),
            LocalUser(currency: "EUR", locale: german, id: "mira"),
            LocalUser(currency: "EUR", locale: Locale(identifier: "fr_FR")),
            LocalUser(currency: "CHF", locale: german),
            LocalUser(currency: "chf", locale: german),
        ]

        #expect(users.count == 4)
    }
}
