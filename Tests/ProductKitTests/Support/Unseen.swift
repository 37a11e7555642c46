import Testing

/// What no decoder may see.
struct Unseen: Decodable, Hashable {
    init(from decoder: any Decoder) {
        Issue.record("A decoder saw it.")
    }
}
