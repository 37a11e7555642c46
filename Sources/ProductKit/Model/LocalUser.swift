public import Foundation

/// The currency and the locale in which prices are shown to the user of this device.
public struct LocalUser: Hashable, Sendable {
    /// The ISO 4217 code of the user's currency, in upper case.
    public var currency: String
    /// The locale that formats numbers and currencies.
    public var locale: Locale

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - currency: An ISO 4217 code in upper or lower case.
    ///   - locale: The locale that formats numbers and currencies; by default the device's, which
    ///     is always English on Linux.
    public init(currency: String, locale: Locale = .autoupdatingCurrent) {
        self.currency = currency.uppercased()
        self.locale = locale
    }
}

extension LocalUser {
    /// The language tag of the locale (RFC 5646), without its currency, calendar and other
    /// extensions.
    ///
    /// It is `nil` for a locale without a language.
    var languageTag: String? {
        // On Linux, the current locale only returns a valid tag after it is recreated by its name.
        let tag = Locale(identifier: locale.identifier).identifier(.bcp47)
        // Extensions begin with a subtag of one letter (RFC 5646 §2.2.6).
        let language: String = tag.split(separator: "-").prefix(while: { $0.count > 1 })
            .joined(separator: "-")
        return ["", "und"].contains(language) ? nil : language
    }
}
