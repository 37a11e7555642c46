/// The first payload of a file: the version of the format, and the user.
struct OutboxFileHeader {
    private static let name = "productkit-outbox"
    private static let version = "1"

    /// The line of the header.
    let line: [UInt8]
    private let user: String

    init(user: String) {
        var bytes: [UInt8] = []
        OutboxFileFormat.appendLine(to: &bytes) { bytes in
            bytes.append(contentsOf: Self.name.utf8)
            OutboxFileFormat.appendField(Self.version, to: &bytes)
            OutboxFileFormat.appendField(user, to: &bytes)
        }
        line = bytes
        self.user = user
    }

    /// Whether a payload is a header.
    ///
    /// - Throws: `newerVersion` or `otherUser` if it is another one.
    func matches(_ payload: UnsafeRawBufferPointer) throws(OutboxError) -> Bool {
        guard payload.starts(with: Self.name.utf8) else { return false }
        var fields = OutboxFileFormat.Fields(payload)
        guard fields.nextText() == Self.name else { return false }
        guard fields.nextText() == Self.version else { throw OutboxError(.newerVersion) }
        // Bytes are compared: two texts can be equal and have different bytes.
        guard let name = fields.nextText(), name.hasSameBytes(as: user), fields.isAtEnd
        else { throw OutboxError(.otherUser) }
        return true
    }
}
