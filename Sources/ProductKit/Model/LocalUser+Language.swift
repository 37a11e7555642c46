import Foundation

extension LocalUser {
    /// The language as a tag (RFC 5646), without what is no language: the currency, the calendar.
    var languageTag: String? {
        // Made anew from its name: the system's current locale writes no proper tag on Linux.
        let tag = Locale(identifier: locale.identifier).identifier(.bcp47)
        let language = tag.prefix(upTo: tag.range(of: "-u-")?.lowerBound ?? tag.endIndex)
        return ["", "und"].contains(language) ? nil : String(language)
    }
}
