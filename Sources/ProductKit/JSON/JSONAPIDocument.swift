import Foundation

/// A document of JSON:API (version 1.1) as plain JSON.
///
/// Each resource of `data` becomes an object with its type, its identifier, its attributes and its relationships: a
/// related resource takes the place of its identifier. Parts of the text are copied and not decoded, so numbers keep
/// all digits. A resource does not contain itself, and the size of the result and the work have limits.
struct JSONAPIDocument {
    /// The result has more bytes than allowed, or too many were read again.
    struct TooLarge: Error {}

    /// A part of the text is not as JSON:API defines it.
    struct Invalid: Error {}

    private struct Key: Hashable {
        let type: JSONText
        let id: JSONText
    }

    /// How many resources may be nested in one another.
    private static let maximumDepth = 16

    private let names: Set<String>
    private let limit: Int
    private var included: [Key: JSONText] = [:]
    private var output: [UInt8] = []
    /// The number of bytes of all resources that were read, one that is inserted several times included.
    private var readCount = 0

    /// Returns a document in plain JSON, of at most `limit` bytes; `nil` if the body is not an object with `data`.
    ///
    /// The resources of the relationships with the names are inserted. Of others, only the type and the identifier
    /// remain. It throws ``TooLarge`` or ``Invalid``.
    static func plain(_ body: Data, inserting names: Set<String>, limit: Int) throws -> Data? {
        let byteOrderMark = Data([0xEF, 0xBB, 0xBF])
        let text = Array(body.starts(with: byteOrderMark) ? body.dropFirst(3) : body)[...]
        guard let members = text.jsonMembers, members.contains(where: { $0.isNamed("data") })
        else { return nil }
        var document = JSONAPIDocument(names: names, limit: limit)
        for member in members where member.isNamed("included") {
            for resource in member.value.jsonElements ?? [] {
                guard let key = key(of: resource.jsonMembers ?? []) else { continue }
                document.included[key] = resource
            }
        }
        try document.appendObject(members) { document, member in
            guard member.isNamed("data") else { return document.output += member.value }
            try document.appendEach(of: member.value) { document, resource in
                try document.appendResource(resource, inside: [])
            }
        }
        try document.checkLimits()
        return Data(document.output)
    }

    private static func key(of members: [JSONMember]) -> Key? {
        guard let type = members.first(where: { $0.isNamed("type") }),
            let id = members.first(where: { $0.isNamed("id") })
        else { return nil }
        return Key(type: type.value, id: id.value)
    }

    /// Appends a resource, or another value as it is.
    private mutating func appendResource(_ text: JSONText, inside parents: [Key]) throws {
        readCount += text.count
        try checkLimits()
        guard let members = text.jsonMembers, members.contains(where: { $0.isNamed("type") })
        else { return output += text }
        let parents = parents + [Self.key(of: members)].compactMap(\.self)
        var plain = members.filter { $0.isNamed("type") || $0.isNamed("id") }
        for member in members where member.isNamed("attributes") {
            plain += try Self.members(of: member.value)
        }
        for member in members where member.isNamed("relationships") {
            plain += try Self.members(of: member.value).compactMap { relationship in
                let data = try Self.members(of: relationship.value).first { $0.isNamed("data") }
                return data.map {
                    JSONMember(name: relationship.name, value: $0.value, isRelated: true)
                }
            }
        }
        try appendObject(plain) { document, member in
            guard member.isRelated, document.names.contains(where: member.isNamed) else {
                return document.output += member.value
            }
            try document.appendEach(of: member.value) { document, reference in
                try document.appendRelated(reference, inside: parents)
            }
        }
    }

    private func checkLimits() throws {
        guard output.count <= limit, readCount <= 4 * limit else { throw TooLarge() }
    }

    /// The members of an object, which is an empty array if PHP has encoded an empty one.
    private static func members(of value: JSONText) throws -> [JSONMember] {
        if let members = value.jsonMembers { return members }
        guard value.elementsEqual("null".utf8) || value.jsonElements?.isEmpty == true else {
            throw Invalid()
        }
        return []
    }

    /// Appends the resource that a reference means, or the reference if the resource is not included.
    private mutating func appendRelated(_ reference: JSONText, inside parents: [Key]) throws {
        guard parents.count < Self.maximumDepth,
            let key = Self.key(of: reference.jsonMembers ?? []),
            !parents.contains(key), let resource = included[key]
        else { return output += reference }
        try appendResource(resource, inside: parents)
    }

    /// Appends the elements of an array, or another value as it is.
    private mutating func appendEach(
        of value: JSONText,
        _ append: (inout JSONAPIDocument, JSONText) throws -> Void
    ) rethrows {
        guard let elements = value.jsonElements else { return try append(&self, value) }
        output.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            try append(&self, element)
        }
        output.append(UInt8(ascii: "]"))
    }

    private mutating func appendObject(
        _ members: [JSONMember],
        _ appendValue: (inout JSONAPIDocument, JSONMember) throws -> Void
    ) rethrows {
        output.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output += member.name
            output.append(UInt8(ascii: ":"))
            try appendValue(&self, member)
        }
        output.append(UInt8(ascii: "}"))
    }
}

/// A value of a JSON text as it is written.
private typealias JSONText = ArraySlice<UInt8>

private struct JSONMember {
    /// The name with its quotation marks.
    let name: JSONText
    let value: JSONText
    /// Whether it is a relationship of a resource.
    var isRelated = false

    func isNamed(_ name: String) -> Bool {
        self.name.dropFirst().dropLast().elementsEqual(name.utf8)
    }
}

extension JSONText {
    /// The members of an object; `nil` for another value, and for a text that is not valid.
    fileprivate var jsonMembers: [JSONMember]? {
        parts(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { text in
            guard text.first == UInt8(ascii: "\""), let name = text.readValue() else { return nil }
            text.skipWhiteSpace()
            guard text.popFirst() == UInt8(ascii: ":") else { return nil }
            return text.readValue().map { JSONMember(name: name, value: $0) }
        }
    }

    /// The elements of an array; `nil` for another value, and for a text that is not valid.
    fileprivate var jsonElements: [JSONText]? {
        parts(from: UInt8(ascii: "["), to: UInt8(ascii: "]")) { text in text.readValue() }
    }

    private func parts<Part>(
        from start: UInt8,
        to end: UInt8,
        _ read: (inout JSONText) -> Part?
    ) -> [Part]? {
        var text = self
        text.skipWhiteSpace()
        guard text.popFirst() == start else { return nil }
        var parts: [Part] = []
        text.skipWhiteSpace()
        if text.first == end { return text.dropFirst().isWhiteSpace ? parts : nil }
        while true {
            text.skipWhiteSpace()
            guard let part = read(&text) else { return nil }
            parts.append(part)
            text.skipWhiteSpace()
            switch text.popFirst() {
            case UInt8(ascii: ","): continue
            case end: return text.isWhiteSpace ? parts : nil
            default: return nil
            }
        }
    }

    private var isWhiteSpace: Bool { allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

    private mutating func skipWhiteSpace() {
        self = drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// Reads a value up to its end, without a check of what is inside of brackets.
    private mutating func readValue() -> JSONText? {
        skipWhiteSpace()
        var (depth, position) = (0, startIndex)
        scan: while position < endIndex {
            switch self[position] {
            case UInt8(ascii: "\""):
                position = endOfString(from: position + 1)
                if depth == 0 { break scan }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                position += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth > 0 { position += 1 }
                depth -= 1
                if depth <= 0 { break scan }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { break scan }
                position += 1
            default: position += 1
            }
        }
        guard depth <= 0, startIndex < position, position <= endIndex else { return nil }
        defer { self = self[position...] }
        return self[..<position]
    }

    /// The position after the quotation mark that ends a string; after the end of the text if there is none.
    private func endOfString(from start: Int) -> Int {
        var position = start
        while position < endIndex, self[position] != UInt8(ascii: "\"") {
            position += self[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position + 1
    }
}
