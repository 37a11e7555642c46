import Foundation

/// The cursor of the next page: a string or an integer.
///
/// Besides an empty string, `false` and an empty array or object mean that there is no next page.
struct NextPage: Decodable {
    let cursor: PageCursor?

    init(from decoder: any Decoder) throws {
        do {
            let text = try Identifier<PageCursor>(from: decoder).rawValue
            cursor = text.isEmpty ? nil : PageCursor(rawValue: text)
        } catch {
            guard decoder.hasEmptyValue else { throw error }
            cursor = nil
        }
    }
}

/// The number of elements on all pages: an integer of zero or more, or a string with one, as PostgreSQL returns counts.
struct PageTotal: Decodable {
    let count: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The error of `JSONDecoder` for such a number does not contain the coding path.
        guard
            let count = (try? container.decode(Int.self))
                ?? (try? container.decode(String.self)).flatMap({ Int($0) }),
            count >= 0
        else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Expected an integer of zero or more, of at most 64 bits."
            )
        }
        self.count = count
    }
}
