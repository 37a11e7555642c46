/// The status line and header fields of a response, read line by line (RFC 9112 §4 and §5).
///
/// Informational responses before the final one are skipped (RFC 9110 §15.2). Trailer fields are
/// ignored (RFC 9110 §6.5.1).
package struct ResponseHead: Sendable {
    /// Why a response must not be read further.
    package enum Refusal: Error {
        /// It has more or larger header fields than ``NetworkHeaders`` allows.
        case tooLarge
        /// It is not valid.
        case invalid
    }

    /// The status code of the newest response that has begun; `nil` before the first one.
    package private(set) var statusCode: Int?
    /// Whether the header section of the final response is complete.
    package private(set) var isComplete = false
    private var fields: [(name: String, value: String)] = []
    private var isInSection = false
    private var size = 0
    private var lineCount = 0

    package init() {}

    /// The header fields; those with the same name are combined.
    package var headers: NetworkHeaders { NetworkHeaders(combining: fields) }

    /// The final response without its body; `nil` before its status line has been read.
    package var response: NetworkResponse? {
        guard let statusCode, statusCode >= 200 else { return nil }
        return NetworkResponse(statusCode: statusCode, headers: headers)
    }

    /// Whether the final response has begun.
    package var isFinal: Bool { statusCode.map { $0 >= 200 } ?? false }

    /// Reads the next line, which may end with CR and LF.
    ///
    /// An empty line ends the header section. A line that is not a field is ignored.
    package mutating func read(_ line: some BidirectionalCollection<UInt8>) throws(Refusal) {
        size += line.count
        lineCount += 1
        // The status line and the empty line are not fields.
        guard size <= NetworkHeaders.maximumSize, lineCount - 2 <= NetworkHeaders.maximumCount
        else { throw .tooLarge }
        guard !isComplete else { return }
        let end = line.lastIndex { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        guard let end else { return endSection() }
        let text = String(header: line[...end])
        if !isInSection {
            try beginSection(text)
        } else if let first = text.utf8.first,
            first == UInt8(ascii: " ") || first == UInt8(ascii: "\t")
        {
            continueField(text)
        } else {
            addField(text)
        }
    }

    private mutating func beginSection(_ statusLine: String) throws(Refusal) {
        let parts = statusLine.split(separator: " ", omittingEmptySubsequences: true)
        guard statusLine.hasPrefix("HTTP/1."), parts.count >= 2, parts[1].utf8.count == 3,
            let code = parts[1].decimalNumber,
            code >= 100, code != 101
        else { throw .invalid }
        (statusCode, fields, isInSection) = (code, [], true)
    }

    private mutating func endSection() {
        (isComplete, isInSection) = (isFinal, false)
    }

    private mutating func addField(_ line: String) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(line[..<colon])
        guard name.isHTTPToken else { return }
        fields.append((name, String(line[line.utf8.index(after: colon)...].trimmingOWS)))
    }

    /// Adds a line that begins with white space to the field before it (RFC 9112 §5.2).
    private mutating func continueField(_ line: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += " \(line[...].trimmingOWS)"
    }
}

extension String {
    /// Decodes header bytes as UTF-8, or else as Latin-1, with spaces for control characters
    /// (RFC 9110 §5.5).
    fileprivate init(header bytes: some Collection<UInt8>) {
        let printable = bytes.map { byte in
            byte == UInt8(ascii: "\t") || byte >= 0x20 && byte != 0x7F ? byte : 0x20
        }
        if let text = String(validating: printable, as: UTF8.self) {
            self = text
        } else {
            self.init(String.UnicodeScalarView(printable.map { Unicode.Scalar($0) }))
        }
    }
}
