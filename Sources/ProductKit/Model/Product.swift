public import Foundation

/// A product of a shop, as one user sees it.
///
/// Only ``id`` and ``name`` are required; a backend may omit everything else. A product is a value: it does not change
/// when the product changes on the backend. A product from a page may be a summary, which lacks some members of the
/// product on the backend; see ``unknownMembers``.
public struct Product: Identifiable, Hashable, Sendable {
    /// The backend's identifier of the product.
    public var id: Identifier<Product>
    /// The display name.
    public var name: String
    /// The description; `nil` if the backend does not provide one.
    public var description: String?
    /// The prices, at most one for each currency.
    ///
    /// It is empty if the product cannot be bought. A free product has a price of 0.
    public var prices: [Price]
    /// The URLs of the images, with the most important image first.
    public var images: [URL]
    /// The URL of the product's page in the shop.
    public var url: URL?
    /// Whether the product can be bought now; `nil` if the backend does not provide it.
    public var isAvailable: Bool?
    /// Whether the product is a favorite of the current user.
    public var isFavorite: Bool
    /// The time at which the backend last changed the product.
    public var updatedAt: Date?
    /// Further attributes by name, such as brand, material or SKU.
    public var attributes: [String: String]
    /// Notes about this value, which are not part of the product itself.
    @Uncompared private var notes = Notes()

    /// Creates a product that contains all members: one without a value has no value.
    ///
    /// Prices, images and attributes that are `nil` are left out, and so is an image that is there already. An empty
    /// description is none. For a row of a page that lacks members, see ``summary(of:)``.
    public init(
        id: Identifier<Product>,
        name: String,
        description: String? = nil,
        prices: [Price?] = [],
        images: [URL?] = [],
        url: URL? = nil,
        isAvailable: Bool? = nil,
        isFavorite: Bool = false,
        updatedAt: Date? = nil,
        attributes: [String: String?] = [:]
    ) {
        self.id = id
        self.name = name
        self.description = description?.isEmpty == true ? nil : description
        self.prices = prices.compactMap(\.self)
        var known: Set<URL> = []
        self.images = images.compactMap(\.self).filter { known.insert($0).inserted }
        self.url = url
        self.isAvailable = isAvailable
        self.isFavorite = isFavorite
        self.updatedAt = updatedAt
        self.attributes = attributes.compactMapValues(\.self)
    }

    /// Returns the price in a currency.
    ///
    /// - Parameter currency: An ISO 4217 code in upper or lower case.
    /// - Returns: The first price in that currency, or `nil` if there is none.
    public func price(in currency: String) -> Price? {
        let code = currency.uppercased()
        return prices.first { $0.currency == code }
    }
}

extension Product {
    /// The members that this value does not contain, because it comes from a summary; empty by default.
    ///
    /// Without a value, an unknown member is `nil`, empty or `false`, like a member that is known to
    /// have no value. When a screen shows the product already, a summary changes only the members
    /// that it contains. For a product that was loaded by itself, the set is ignored, except for members
    /// that could not be decoded, and for the favorite status if it is the only element.
    ///
    /// A member with a value is never in this set. To state that a member has no value, remove it from the set.
    ///
    /// The set describes how complete the value is, not the product. So `==` and `hash(into:)`
    /// ignore it, and it is not a member of the JSON object.
    public var unknownMembers: Members {
        get {
            let members = notes.unknownMembers
            return members.isEmpty ? members : members.subtracting(membersWithValue)
        }
        set { notes.unknownMembers = newValue }
    }

    /// The members that could not be decoded, such as a date in an unknown format; at most 100.
    ///
    /// Such a member has no value and is in ``unknownMembers``. Of images and attributes, only the
    /// invalid ones are left out. Log these reports: something is wrong on the server or in the
    /// adapter. Like ``unknownMembers``, they are ignored by `==` and `hash(into:)`.
    public internal(set) var invalidMembers: [InvalidMember] {
        get { notes.invalidMembers }
        set { notes.invalidMembers = newValue }
    }

    /// The members that are unknown although the product was loaded by itself: they could not be decoded.
    var unreadableMembers: Members { unknownMembers.intersection(notes.undecodedMembers) }

    /// Whether it has all members, except for those that could not be decoded, and for the favorite status.
    var isComplete: Bool {
        unknownMembers.subtracting(unreadableMembers).isSubset(of: .isFavorite)
    }
}

/// Notes about a value of a product.
private struct Notes {
    /// The members that were declared unknown, also those that have a value.
    var unknownMembers: Product.Members = []
    /// The members that could not be decoded.
    var undecodedMembers: Product.Members = []
    var invalidMembers: [InvalidMember] = []
}

extension Product: Codable {
    private enum Member: CodingKey {
        case id, name, description, prices, images, url, isAvailable, isFavorite, updatedAt
        case attributes
    }

    /// Decodes the product format of `Docs/openapi.yaml`.
    ///
    /// An absent member, `null` and an empty value mean that the product has no value. An absent member is also in
    /// ``unknownMembers``, because a page may contain summaries. An empty value is `""`, `[]`, `{}` or `false`, whatever
    /// the type of the member is, because PHP has one empty array for all of them. Members that the format does not
    /// define are ignored. The decoder's `keyDecodingStrategy` also applies to the names of the attributes.
    ///
    /// A member that is not essential never loses the product: with another type it has no value, and is reported in
    /// ``invalidMembers``. A relative URL of a response is resolved against the URL of the response (RFC 3986 §5.2).
    ///
    /// - Throws: A `DecodingError` with the path of the member if `id` or `name` is missing, or if
    ///   one of them or a price cannot be decoded.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Member.self)
        var (absent, undecoded) = (Members(), Members())
        var invalid: [InvalidMember] = []
        // With as many reports as may be, to decode further elements would only take time.
        func report(_ error: any Error) throws {
            guard invalid.count < InvalidMember.maximumCount else { throw error }
            invalid.append(InvalidMember(error, in: container))
        }
        // Decoding an absent member costs as much as `contains`, so each key is looked up once.
        func value<Value>(
            of member: Members,
            forKey key: Member,
            default noValue: Value,
            _ decode: (Member) throws -> Value
        ) -> Value {
            guard container.contains(key) else {
                absent.insert(member)
                return noValue
            }
            do { return try decode(key) } catch {
                guard !container.hasEmptyValue(forKey: key) else { return noValue }
                undecoded.insert(member)
                try? report(error)
                return noValue
            }
        }
        id = try container.decode(ID.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        description = value(of: .description, forKey: .description, default: nil) { key in
            let text = try container.decodeIfPresent(String.self, forKey: key)
            return text?.isEmpty == true ? nil : text
        }
        if container.contains(.prices) {
            do {
                prices = try container.decodeElements(forKey: .prices) { elements in
                    try Price(in: elements.nestedContainer(keyedBy: Price.Member.self))
                }
            } catch {
                // Without its price, a product would look like one that cannot be bought.
                guard container.hasEmptyValue(forKey: .prices) else { throw error }
                prices = []
            }
        } else {
            prices = []
            absent.insert(.prices)
        }
        images = value(of: .images, forKey: .images, default: []) { key in
            try container.decodeElements(forKey: key) { elements in
                if try elements.decodeNil() { return nil }
                let index = elements.currentIndex
                guard index < maximumImageCount else {
                    throw DecodingError.dataCorruptedError(
                        in: elements,
                        debugDescription: "Expected at most \(maximumImageCount) images."
                    )
                }
                do {
                    return try Product.url(
                        elements.decode(String.self),
                        from: decoder,
                        at: elements.codingPath + [index.codingKey]
                    )
                } catch {
                    try report(error)
                    // After an error of the decoder, the container is still at the same element.
                    if elements.currentIndex == index { _ = try elements.decode(IgnoredValue.self) }
                    return nil
                }
            }
        }
        url = value(of: .url, forKey: .url, default: nil) { key in
            try container.decodeIfPresent(String.self, forKey: key).flatMap { text in
                try Product.url(text, from: decoder, at: container.codingPath + [key])
            }
        }
        isAvailable = value(of: .isAvailable, forKey: .isAvailable, default: nil) { key in
            try container.decodeIfPresent(Bool.self, forKey: key)
        }
        isFavorite = value(of: .isFavorite, forKey: .isFavorite, default: false) { key in
            try container.decodeIfPresent(Bool.self, forKey: key) ?? false
        }
        updatedAt = value(of: .updatedAt, forKey: .updatedAt, default: nil) { key in
            try container.decodeTimestamp(forKey: key)
        }
        attributes = value(of: .attributes, forKey: .attributes, default: [:]) { key in
            try Product.attributes(in: container, forKey: key, report: report)
        }
        unknownMembers = absent.union(undecoded)
        guard !invalid.isEmpty else { return }
        invalidMembers = invalid
        notes.undecodedMembers = undecoded
    }

    /// Encodes the product format of `Docs/openapi.yaml`, without properties that are `nil` and ``unknownMembers``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Member.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(description, forKey: .description)
        let unknown = unknownMembers
        if !unknown.contains(.prices) { try container.encode(prices, forKey: .prices) }
        // As strings: encoders other than `JSONEncoder` write a URL as an object.
        if !unknown.contains(.images) {
            try container.encode(images.map(\.absoluteString), forKey: .images)
        }
        try container.encodeIfPresent(url?.absoluteString, forKey: .url)
        try container.encodeIfPresent(isAvailable, forKey: .isAvailable)
        if !unknown.contains(.isFavorite) { try container.encode(isFavorite, forKey: .isFavorite) }
        try container.encode(timestamp: updatedAt, forKey: .updatedAt)
        if !unknown.contains(.attributes) { try container.encode(attributes, forKey: .attributes) }
    }

    private static func attributes(
        in container: KeyedDecodingContainer<Member>,
        forKey key: Member,
        report: (any Error) throws -> Void
    ) throws -> [String: String] {
        guard try !container.decodeNil(forKey: key) else { return [:] }
        let attributes = try container.nestedContainer(keyedBy: AttributeName.self, forKey: key)
        let names = attributes.allKeys
        return try names.reduce(into: Dictionary(minimumCapacity: names.count)) { values, name in
            do {
                values[name.stringValue] = try attributes.decodeIfPresent(String.self, forKey: name)
            } catch {
                try report(error)
            }
        }
    }

    /// Parses a URL, or returns `nil` for an empty string, which some shops send for no URL.
    private static func url(
        _ text: String,
        from decoder: any Decoder,
        at path: @autoclosure () -> [any CodingKey]
    ) throws -> URL? {
        guard !text.isEmpty else { return nil }
        guard let url = URL(string: text) else {
            let problem = "Expected a URL, found “\(text.prefix(64))”."
            throw DecodingError.dataCorrupted(.init(codingPath: path(), debugDescription: problem))
        }
        let isAbsolute = text.hasPrefix("https:") || url.scheme != nil
        return isAbsolute ? url : decoder.resolvedURL(text) ?? url
    }
}

/// The number of images after which a product has none: a URL takes many times the memory of its text.
private let maximumImageCount = 1_000

/// The coding key of an attribute.
///
/// A container returns its keys in existentials, which allocate memory for a key of two strings.
private struct AttributeName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        return nil
    }
}
