extension RecordedRequest {
    /// A part in which a request differs from a recorded one.
    struct Difference {
        /// The part without its values, such as the query item “find”.
        let part: String
        let text: String

        init(_ part: String, _ requested: String?, _ recorded: String?) {
            // Of long texts, the equal start would hide the difference.
            let equalCount = zip(requested ?? "", recorded ?? "").prefix { $0 == $1 }.count
            let start = equalCount > 60 ? equalCount - 20 : 0
            let texts = [requested, recorded].map { text in
                guard let text else { return "nothing" }
                let end = (start > 0 ? "…" : "") + text.dropFirst(start)
                return end.utf8.count > 80 ? "\(end.prefix(bytes: 80))…" : end
            }
            self.part = part
            text = "\(part): \(texts[0]) instead of \(texts[1])"
        }
    }

    /// Whether this request is equal to a recorded one.
    func matches(_ recorded: RecordedRequest) -> Bool { differences(from: recorded).isEmpty }

    /// Returns how different a recorded request is: the nearest one has the smallest value.
    func distance(from recorded: RecordedRequest) -> (path: Int, method: Int, parts: Int) {
        let path = url.splitAtQuery.base.differingSegments(from: recorded.url.splitAtQuery.base)
        return (path, method == recorded.method ? 0 : 1, differences(from: recorded).count)
    }

    /// Returns the differences of this request from a recorded one; empty if it matches.
    ///
    /// Items of a query or a form are compared by name, and items with the same name in their
    /// order. JSON is compared by value, and other bodies byte by byte.
    func differences(from recorded: RecordedRequest) -> [Difference] {
        var differences: [Difference] = []
        if method != recorded.method {
            differences.append(Difference("the method", method, recorded.method))
        }
        let (url, recordedURL) = (url.splitAtQuery, recorded.url.splitAtQuery)
        if !url.base.isIdentical(to: recordedURL.base) {
            differences.append(Difference("the path", url.base, recordedURL.base))
        }
        differences += Self.differences(
            "the query item",
            url.query.itemsByName,
            recordedURL.query.itemsByName
        )
        differences += Self.differences(
            "the header field",
            headers.valuesByName,
            recorded.headers.valuesByName
        )
        switch (body, recorded.body) {
        case (.json(let json), .json(let recorded)):
            differences += json.differences(from: recorded)
        case (.form(let form), .form(let recorded)):
            differences += Self.differences("the field", form.itemsByName, recorded.itemsByName)
        case (let body, let recorded):
            let (text, recordedText) = (body?.member.value.text, recorded?.member.value.text)
            let isIdentical =
                body?.member.name == recorded?.member.name
                && (text ?? "").isIdentical(to: recordedText ?? "")
            if !isIdentical { differences.append(Difference("the body", text, recordedText)) }
        }
        return differences
    }

    private static func differences(
        _ part: String,
        _ items: [String: String],
        _ recorded: [String: String]
    ) -> [Difference] {
        Set(items.keys).union(recorded.keys).sorted().compactMap { name in
            let (value, recorded) = (items[name], recorded[name])
            if let value, let recorded, value.isIdentical(to: recorded) { return nil }
            return Difference("\(part) “\(name)”", value, recorded)
        }
    }
}

extension JSONTree {
    /// Returns the differences of this value from a recorded one, with their paths.
    fileprivate func differences(
        from recorded: JSONTree,
        at path: String = ""
    ) -> [RecordedRequest.Difference] {
        switch (self, recorded) {
        case (.object(let members), .object(let recordedMembers)):
            let names = Set(members.map(\.name)).union(recordedMembers.map(\.name)).sorted()
            return names.flatMap { name in
                let path = path.isEmpty ? name : "\(path).\(name)"
                return Self.differences(self[name], recorded[name], at: path)
            }
        case (.array(let elements), .array(let others)):
            return (0..<max(elements.count, others.count)).flatMap { index in
                Self.differences(
                    elements.indices.contains(index) ? elements[index] : nil,
                    others.indices.contains(index) ? others[index] : nil,
                    at: "\(path)[\(index)]"
                )
            }
        default:
            guard !text.isIdentical(to: recorded.text) else { return [] }
            let part = path.isEmpty ? "the body" : "the member “\(path)” of the body"
            return [RecordedRequest.Difference(part, text, recorded.text)]
        }
    }

    private static func differences(
        _ value: JSONTree?,
        _ recorded: JSONTree?,
        at path: String
    ) -> [RecordedRequest.Difference] {
        if let value, let recorded { return value.differences(from: recorded, at: path) }
        let part = "the member “\(path)” of the body"
        return [RecordedRequest.Difference(part, value?.text, recorded?.text)]
    }
}

extension [JSONTree.Member] {
    fileprivate var valuesByName: [String: String] {
        Dictionary(map { ($0.name.lowercased(), $0.value.text) }) { _, last in last }
    }
}

extension String {
    /// Whether both texts have the same bytes; `==` compares characters.
    fileprivate func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    fileprivate var splitAtQuery: (base: String, query: String) {
        let base = prefix { $0 != "?" }
        return (String(base), String(dropFirst(base.count + 1)))
    }

    /// The values of each name in a query or a form, joined in their order.
    fileprivate var itemsByName: [String: String] {
        split(separator: "&").reduce(into: [:]) { items, item in
            let name = item.prefix { $0 != "=" }
            let former = items[String(name)].map { "\($0)&" } ?? ""
            items[String(name)] = former + item
        }
    }

    /// The number of path segments that are different.
    fileprivate func differingSegments(from other: String) -> Int {
        let (segments, others) = (split(separator: "/"), other.split(separator: "/"))
        return Swift.max(segments.count, others.count) - zip(segments, others).count { $0 == $1 }
    }
}
