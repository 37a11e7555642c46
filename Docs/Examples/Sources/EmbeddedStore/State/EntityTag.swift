/// A strong entity tag: equal exactly when the contents it names are equal.
struct EntityTag: Sendable, Hashable {
    /// The tag as a header carries it, quotes included.
    let text: String

    /// Names contents by their FNV-1a hash, which is the same in every run of the program.
    init(naming contents: some Sequence<UInt8>) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in contents {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        text = "\"\(String(hash, radix: 16))\""
    }
}
