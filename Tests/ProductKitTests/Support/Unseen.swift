import Testing

/// A value that records an issue when it is decoded.
struct Unseen: Decodable, Hashable {
    init(from decoder: any Decoder) {
        Issue.record("A decoder saw it.")
    }
}
