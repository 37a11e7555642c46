extension JSONCase {
    static let encodings = table(
        #"""
        accept | a line feed after a value | 1«0A»
        accept | a carriage return and line feed after a value | 1«0D 0A»
        accept | a tab before a value | «09»1
        reject | a NUL after an array | [1]«00»
        reject | a NUL before a value | «00»1
        reject | a NUL in an array | [«00»1]
        reject | a single NUL | «00»
        reject | a NUL in an object | {«00»"a": 1}
        reject | a form feed in an array | [«0C»]
        reject | a vertical tab in an array | [«0B»]
        reject | a form feed before a value | «0C»1
        reject | a delete character outside of a string | «7F»
        reject | a no-break space | «C2 A0»1
        reject | a no-break space after a value | 1«C2 A0»
        reject | a word joiner | [«E2 81 A0»]
        reject | a line separator between values | 1«E2 80 A8»
        reject | an ideographic space | «E3 80 80»1
        reject | a byte order mark within an array | [«EF BB BF»1]
        reject | a byte order mark after a value | 1«EF BB BF»
        reject | two of three bytes of a byte order mark | «EF BB»
        reject | a big-endian UTF-16 byte order mark | «FE FF»
        reject | a little-endian UTF-16 byte order mark | «FF FE»
        reject | a value in little-endian UTF-16 | 1«00»
        reject | a value in big-endian UTF-16 | «00»1
        reject | two values in UTF-16 | 1«00»,«00»2«00»
        reject | a single invalid UTF-8 byte | «E5»
        reject | a single continuation byte in an array | [«80»]
        reject | a non-ASCII letter without quotes | é
        reject | an invalid UTF-8 byte in an object | {«B9»: 1}
        reject | an invalid UTF-8 byte after a literal | null«E5»
        reject | an emoji | 😀
        reject | a circled letter | ⓐ
        reject | a fullwidth bracket | ［1］
        reject | a fullwidth comma | [1，2]
        reject | a flag in an object | {🇨🇭}
        """#
    )
}
