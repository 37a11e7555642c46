/// How many digits a currency has behind the decimal point, as ISO 4217 says.
///
/// The system's own tables differ from ISO 4217 for several currencies and from platform to
/// platform, so the exceptions are written out here; every other currency has two digits.
public enum CurrencyDigits: Sendable {
    /// The digits of a currency's minor unit: 2 for `EUR`, 0 for `JPY`, 3 for `KWD`.
    ///
    /// - Parameter currency: An ISO 4217 code, in any case. A code not listed there has 2.
    /// - Returns: A number between 0 and 4.
    public static func digits(for currency: String) -> Int {
        exceptions[currency] ?? exceptions[currency.uppercased()] ?? 2
    }

    private static let exceptions = table([
        0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
        3: "BHD IQD JOD KWD LYD OMR TND",
        4: "CLF UYW",
    ])

    private static func table(_ codes: [Int: String]) -> [String: Int] {
        var table: [String: Int] = [:]
        for (digits, list) in codes {
            for code in list.split(separator: " ") { table[String(code)] = digits }
        }
        return table
    }
}
