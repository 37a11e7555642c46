extension CodingUserInfoKey {
    /// Where the text came from that a decoder reads.
    static let source = CodingUserInfoKey(rawValue: "ProductKit.FetchSource")
}

extension Decoder {
    /// Where the text came from that is read.
    var source: FetchSource {
        CodingUserInfoKey.source.flatMap { userInfo[$0] as? FetchSource } ?? .network
    }
}
