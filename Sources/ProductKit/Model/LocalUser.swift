public import Foundation

/// The person in front of the screen: which money they pay with and how they write numbers.
public struct LocalUser: Hashable, Sendable {
    /// The ISO 4217 code of the currency that prices are shown in, in upper case.
    public var currency: String
    /// How numbers and currencies are written.
    public var locale: Locale
    /// What separates this user's data from another's; `nil` for a guest.
    public var id: Identifier<LocalUser>?

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - currency: An ISO 4217 code, in any case.
    ///   - locale: How numbers and currencies are written; the device's own by default.
    ///   - id: What separates this user's data from another's; `nil` for a guest.
    public init(
        currency: String,
        locale: Locale = .autoupdatingCurrent,
        id: Identifier<LocalUser>? = nil
    ) {
        self.currency = currency.uppercased()
        self.locale = locale
        self.id = id
    }
}

extension LocalUser {
    /// The language as a tag (RFC 5646), without what is no language: the currency, the calendar.
    var languageTag: String? {
        // Made anew from its name: the system's current locale writes no proper tag on Linux.
        let tag = Locale(identifier: locale.identifier).identifier(.bcp47)
        let language = tag.prefix(upTo: tag.range(of: "-u-")?.lowerBound ?? tag.endIndex)
        return ["", "und"].contains(language) ? nil : String(language)
    }
}
