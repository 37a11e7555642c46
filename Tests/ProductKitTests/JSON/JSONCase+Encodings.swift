extension JSONCase {
    static let encodings = table(
        #"""
        accept | a line feed behind a value | 1«0A»
        accept | a line of Windows behind a value | 1«0D 0A»
        accept | a tab before a value | «09»1
        refuse | a NUL behind an array | [1]«00»
        refuse | a NUL before a value | «00»1
        refuse | a NUL in an array | [«00»1]
        refuse | a lone NUL | «00»
        refuse | a NUL in an object | {«00»"a": 1}
        refuse | a form feed in an array | [«0C»]
        refuse | a vertical tab in an array | [«0B»]
        refuse | a form feed before a value | «0C»1
        refuse | a delete character outside of a string | «7F»
        refuse | a blank that does not break | «C2 A0»1
        refuse | a blank that does not break behind a value | 1«C2 A0»
        refuse | a word joiner | [«E2 81 A0»]
        refuse | a line separator between values | 1«E2 80 A8»
        refuse | an ideographic blank | «E3 80 80»1
        refuse | a byte order mark within an array | [«EF BB BF»1]
        refuse | a byte order mark behind a value | 1«EF BB BF»
        refuse | two thirds of a byte order mark | «EF BB»
        refuse | a byte order mark of UTF-16 | «FE FF»
        refuse | a byte order mark of UTF-16 the other way round | «FF FE»
        refuse | a value in UTF-16 | 1«00»
        refuse | a value in UTF-16 the other way round | «00»1
        refuse | two values in UTF-16 | 1«00»,«00»2«00»
        refuse | a lone byte that is no UTF-8 | «E5»
        refuse | a lone continuation byte in an array | [«80»]
        refuse | a letter that needs quotes | é
        refuse | a byte that is no UTF-8 in an object | {«B9»: 1}
        refuse | a byte that is no UTF-8 behind a literal | null«E5»
        refuse | a face | 😀
        refuse | a circled letter | ⓐ
        refuse | a fullwidth bracket | ［1］
        refuse | a fullwidth comma | [1，2]
        refuse | a flag in an object | {🇨🇭}
        """#
    )
}
