import Foundation

/// A resource of the contract.
enum Resource: Hashable {
    case products
    case product(String)
    case favorites
    case favorite(String)
    case lists
    case list(String)
    case listedProduct(String, list: String)

    /// Creates the resource at a path.
    ///
    /// Each segment is decoded separately, so an identifier may contain a slash.
    init(path: String) throws(Problem) {
        var segments: [String] = []
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
            guard let decoded = segment.removingPercentEncoding else {
                throw Problem(400, detail: "The path is not percent-encoded UTF-8.")
            }
            segments.append(decoded)
        }
        guard segments.starts(with: ["", "v1"]), let resource = Self(segments.dropFirst(2)) else {
            throw Problem(404, detail: "There is no such resource.")
        }
        guard resource.identifiers.allSatisfy({ $0.utf8.count <= 255 }) else {
            throw Problem(400, detail: "An identifier must have at most 255 bytes in UTF-8.")
        }
        self = resource
    }

    private init?(_ segments: ArraySlice<String>) {
        let names = Array(segments)
        guard !names.contains("") else { return nil }
        switch (names.first, names.count) {
        case ("products", 1): self = .products
        case ("products", 2): self = .product(names[1])
        case ("favorites", 1): self = .favorites
        case ("favorites", 2): self = .favorite(names[1])
        case ("lists", 1): self = .lists
        case ("lists", 2): self = .list(names[1])
        case ("lists", 4) where names[2] == "products":
            self = .listedProduct(names[3], list: names[1])
        default: return nil
        }
    }

    /// The percent-encoded path.
    var path: String {
        let names =
            switch self {
            case .products: ["products"]
            case .product(let id): ["products", id]
            case .favorites: ["favorites"]
            case .favorite(let id): ["favorites", id]
            case .lists: ["lists"]
            case .list(let id): ["lists", id]
            case .listedProduct(let id, let list): ["lists", list, "products", id]
            }
        return "/v1/" + names.map(\.escapedSegment).joined(separator: "/")
    }

    /// The allowed methods, for the `Allow` field.
    var methods: String {
        switch self {
        case .products, .product, .favorites, .lists: "GET, HEAD"
        case .favorite, .listedProduct: "PUT, DELETE"
        case .list: "GET, HEAD, PUT, DELETE"
        }
    }

    private var identifiers: [String] {
        switch self {
        case .products, .favorites, .lists: []
        case .product(let id), .favorite(let id), .list(let id): [id]
        case .listedProduct(let id, let list): [id, list]
        }
    }
}

extension String {
    /// The text with all characters percent-encoded except RFC 3986's unreserved characters.
    fileprivate var escapedSegment: String {
        addingPercentEncoding(withAllowedCharacters: .unreserved) ?? self
    }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
