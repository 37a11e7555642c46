import ArgumentParser
import ProductKit

/// Which currency prices are shown in.
struct CurrencyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The currency to show prices in, EUR by default.", valueName: "code"),
        transform: CurrencyOption.code
    )
    var currency = "EUR"

    var localUser: LocalUser { LocalUser(currency: currency) }

    private static func code(_ text: String) throws -> String {
        guard (try? Price("0", currency: text)) != nil else {
            throw ValidationError("“\(text)” is not a currency; write a code like EUR or JPY.")
        }
        return text.uppercased()
    }
}
