import Foundation

extension Locale {
    /// The locale of the program's texts, which are in English whatever the user's region is.
    static let program = Locale(identifier: "en_US")
}

extension BinaryInteger {
    /// The number in a text of the program.
    var text: String { IntegerFormatStyle<Self>(locale: .program).format(self) }
}
