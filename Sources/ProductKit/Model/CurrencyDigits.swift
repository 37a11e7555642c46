/// How many digits a currency has after the decimal point, as ISO 4217 says.
///
/// The system's own tables differ from ISO 4217 for several currencies and from platform to
/// platform, so the exceptions are written out here; every other currency has two digits.
public enum CurrencyDigits: Sendable {
    /// The digits of a currency's minor unit: 2 for `EUR`, 0 for `JPY`, 3 for `KWD`.
    ///
    /// - Parameter currency: An ISO 4217 code, in any case. A code not listed there has 2.
    /// - Returns: A number between 0 and 4.
    public static func digits(for currency: String) -> Int {
        // In ASCII, upper and lower case differ in this one bit.
        let code = currency.asciiCode & ~0x20_2020
        var (first, end) = (0, exceptions.count)
        while first < end {
            let middle = (first + end) / 2
            if exceptions[middle].code < code { first = middle + 1 } else { end = middle }
        }
        return first < exceptions.count && exceptions[first].code == code
            ? exceptions[first].digits : 2
    }

    /// In the order of their codes, for a search that needs no hashing of texts.
    private static let exceptions: [(code: UInt32, digits: Int)] = [
        0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
        3: "BHD IQD JOD KWD LYD OMR TND",
        4: "CLF UYW",
    ].flatMap { digits, codes in
        codes.split(separator: " ").map { (code: String($0).asciiCode, digits: digits) }
    }.sorted { $0.code < $1.code }
}

extension String {
    /// Three ASCII characters as one number, the first of them highest; zero for any other text.
    var asciiCode: UInt32 {
        var text = self
        return text.withUTF8 { bytes in
            guard bytes.count == 3 else { return 0 }
            let code = UInt32(bytes[0]) << 16 | UInt32(bytes[1]) << 8 | UInt32(bytes[2])
            return code & 0x80_8080 == 0 ? code : 0
        }
    }
}
