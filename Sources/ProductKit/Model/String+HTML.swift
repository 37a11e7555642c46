extension String {
    /// Creates the plain text of simple HTML, such as the description of a product.
    ///
    /// - Tags and comments are removed, and so is the content of `script` and `style`. A tag without
    ///   an end removes the rest.
    /// - A block, such as a paragraph, a heading, a list item or a row of a table, begins a new line,
    ///   and so does `br`. There are no empty lines. White space is otherwise one space.
    /// - Character references are decoded: the names of HTML 4 for Western European letters,
    ///   punctuation and currencies, and all numbers. An unknown name is left as it is.
    ///
    /// The result is a text, not HTML: escape it before you show it in a web page. The time is
    /// proportional to the length of the HTML.
    ///
    /// - Parameter html: HTML, or a text without any markup.
    public init(plainTextFromHTML html: String) {
        var reader = HTMLReader(html)
        self = reader.readText()
    }
}

/// A reader of the text of an HTML fragment (WHATWG HTML §13.2.5, for what descriptions contain).
private struct HTMLReader {
    private var rest: Substring.UnicodeScalarView
    private var text = String.UnicodeScalarView()
    /// The white space before the next character.
    private var gap: Unicode.Scalar?

    init(_ html: String) {
        rest = html[...].unicodeScalars
    }

    mutating func readText() -> String {
        while let scalar = rest.popFirst() {
            switch scalar {
            case "<": readMarkup()
            case "&": readReference()
            default: append(scalar)
            }
        }
        return String(text)
    }

    /// Appends a character; white space only when another character follows it.
    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isHTMLSpace {
            gap = gap ?? " "
            return
        }
        // Editors write a paragraph with a no-break space for an empty line.
        if scalar == "\u{A0}", text.isEmpty || gap == "\n" { return }
        if let gap, !text.isEmpty { text.append(gap) }
        gap = nil
        text.append(scalar)
    }

    /// Reads a tag or a comment, after its `<`.
    private mutating func readMarkup() {
        switch rest.first {
        case let first? where first.isASCIILetter:
            readTag()
        case "!" where rest.dropFirst().starts(with: "--".unicodeScalars):
            rest.removeFirst()
            skip(through: "-->")
        case "!", "?":
            skip(through: ">")
        case "/":
            rest.removeFirst()
            if rest.first?.isASCIILetter == true {
                readTag(isEnd: true)
            } else {
                skip(through: ">")
            }
        default:
            append("<")
        }
    }

    private mutating func readTag(isEnd: Bool = false) {
        let name = readName()
        skipAttributes()
        if HTML.hiddenElements.contains(name), !isEnd {
            skipContent(of: name)
        } else if HTML.lineElements.contains(name) {
            gap = "\n"
        } else if HTML.cellElements.contains(name) {
            gap = gap ?? " "
        }
    }

    /// Reads the name of an element, in lowercase.
    private mutating func readName() -> String {
        let name = rest.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == "-" }
        rest = rest[name.endIndex...]
        return String(name.prefix(16)).lowercased()
    }

    /// Skips the rest of a tag, with a `>` in a quoted value.
    private mutating func skipAttributes() {
        var isValue = false
        while let scalar = rest.popFirst(), scalar != ">" {
            if isValue, scalar == "\"" || scalar == "'" {
                while let next = rest.popFirst(), next != scalar {}
                isValue = false
            } else if !scalar.isHTMLSpace {
                isValue = scalar == "="
            }
        }
    }

    /// Skips everything up to the end tag of an element.
    private mutating func skipContent(of element: String) {
        while let scalar = rest.popFirst() {
            guard scalar == "<", rest.first == "/" else { continue }
            rest.removeFirst()
            guard readName() == element, rest.first.map(\.endsTagName) ?? true else { continue }
            return skipAttributes()
        }
    }

    private mutating func skip(through end: String) {
        while !rest.isEmpty, !rest.starts(with: end.unicodeScalars) { rest.removeFirst() }
        rest = rest.dropFirst(end.unicodeScalars.count)
    }

    /// Reads a character reference, after its `&`.
    private mutating func readReference() {
        let name = rest.prefix(32).prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == "#" }
        let following = rest[name.endIndex...]
        guard following.first == ";", let scalar = HTML.character(named: String(name)) else {
            append("&")
            return
        }
        rest = following.dropFirst()
        append(scalar)
    }
}

/// The names of HTML that the reader distinguishes.
private enum HTML {
    /// The elements whose content is not text.
    static let hiddenElements: Set = ["script", "style"]
    /// The elements that begin and end a line.
    static let lineElements: Set = [
        "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details",
        "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1",
        "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "legend", "li", "main", "menu",
        "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tr", "ul",
    ]
    /// The elements that are separated by a space.
    static let cellElements: Set = ["td", "th"]

    /// Returns the character of a reference such as `amp`, `#8364` or `#x20AC`; `nil` for an unknown name.
    static func character(named name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return characters[name] }
        let isHexadecimal = ["#x", "#X"].contains { name.hasPrefix($0) }
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit) else { return nil }
        guard isHexadecimal || digits.allSatisfy(\.isWholeNumber) else { return nil }
        guard let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number > 0 else {
            return "\u{FFFD}"
        }
        if (0x80..<0xA0).contains(number) { return windows1252[Int(number) - 0x80] }
        return Unicode.Scalar(number) ?? "\u{FFFD}"
    }

    /// The characters from 0x80 to 0x9F, which numbers mean in HTML.
    private static let windows1252 = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars
    )

    private static let characters = zip(
        latin1Names.split(whereSeparator: \.isWhitespace),
        0xA0...0xFF as ClosedRange<UInt8>
    )
    .reduce(into: otherCharacters) { $0[String($1.0)] = Unicode.Scalar($1.1) }

    /// The names of the characters from U+00A0 to U+00FF, in their order.
    private static let latin1Names = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
        deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
        Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
        Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml
        Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
        igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute
        ucirc uuml yacute thorn yuml
        """

    private static let otherCharacters: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
        "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ",
        "circ": "ˆ", "tilde": "˜", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}",
        "zwnj": "\u{200C}", "zwj": "\u{200D}", "lrm": "\u{200E}", "rlm": "\u{200F}",
        "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“",
        "rdquo": "”", "bdquo": "„", "dagger": "†", "Dagger": "‡", "bull": "•", "hellip": "…",
        "permil": "‰", "prime": "′", "Prime": "″", "lsaquo": "‹", "rsaquo": "›", "frasl": "⁄",
        "euro": "€", "trade": "™", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔",
        "minus": "−", "asymp": "≈", "ne": "≠", "le": "≤", "ge": "≥", "infin": "∞",
    ]
}

extension Unicode.Scalar {
    fileprivate var isHTMLSpace: Bool {
        switch self {
        case " ", "\n", "\t", "\r", "\u{0C}": true
        default: false
        }
    }

    fileprivate var endsTagName: Bool { isHTMLSpace || self == ">" || self == "/" }

    fileprivate var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }

    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
