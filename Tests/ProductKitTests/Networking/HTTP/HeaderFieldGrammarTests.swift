import ProductKit
import Testing

/// The grammar that header fields share (RFC 9110 §5.6).
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HeaderFieldGrammarTests {
    @Test(
        arguments: [
            ("", []), (" \t", []), (",", []), ("a", ["a"]), ("a, b", ["a", "b"]),
            (" a ,\tb,, c ,", ["a", "b", "c"]), (#"a="1, 2", b"#, [#"a="1, 2""#, "b"]),
            (#"a="\", b", c"#, [#"a="\", b""#, "c"]), (#"a=", b"#, [#"a=""#, "b"]),
            (#"a="\"#, [#"a="\"#]), ("é, ü", ["é", "ü"]),
            (#"a="\", b="\", c"#, [#"a="\", b="\""#, "c"]), (#"a="\"\", b"#, [#"a="\"\""#, "b"]),
        ] as [(String, [Substring])]
    )
    func `a list has members without whitespace and empty ones`(
        field: String,
        members: [Substring]
    ) {
        #expect(field.listMembers == members)
    }

    // Rule: security/response-size-is-limited (26)
    @Test(
        .tags(.timing),
        .timed,
        arguments: [#"\""#, "\"", ",", "\",", "a,", #"a="\","#, " , ", "a", "\t"]
    )
    func
        `the work for a list is proportional to its length, also if a quotation mark is not closed`(
            part: String
        )
    {
        let growth = growth { (text: String) in
            _ = text.listMembers
        } for: { length in
            "\"" + String(repeating: part, count: length)
        }

        #expect(growth < 200)
    }

    // Rule: security/response-size-is-limited (26)
    @Test(.tags(.timing), .timed)
    func `the work for a quoted-string is proportional to its length`() {
        let growth = growth { (text: Substring) in
            #expect(text.unquoted != nil)
        } for: { length in
            "\"" + String(repeating: #"\"a"#, count: length) + "\""
        }

        #expect(growth < 200)
    }

    @Test(
        arguments: [
            ("\"\"", ""), (#""a""#, "a"), (#""a\"b""#, #"a"b"#), (#""\\""#, #"\"#),
            (#""\é""#, "é"), ("a", nil), (#""a"#, nil), (#""a"b"#, nil), (#""a\""#, nil),
            (#" "a""#, nil), ("", nil),
        ] as [(Substring, String?)]
    )
    func `a quoted-string is unquoted if it is complete`(text: Substring, content: String?) {
        #expect(text.unquoted == content)
    }

    @Test(
        arguments: [
            ("0", 0), ("60", 60), ("007", 7), ("2147483648", 2_147_483_648),
            ("2147483649", 2_147_483_648), ("99999999999999999999", 2_147_483_648), ("", nil),
            ("-1", nil), ("+1", nil), ("1.5", nil), (" 1", nil), ("1e3", nil), ("٣", nil),
        ] as [(String, Double?)]
    )
    func `delta-seconds are digits and at most 2^31`(text: String, seconds: Double?) {
        #expect(text.deltaSeconds == seconds)
    }

    @Test(
        arguments: [("", ""), (" \t", ""), ("\t a b \t", "a b"), ("a\u{A0}", "a\u{A0}")]
            as [(Substring, Substring)]
    )
    func `only spaces and tabs are trimmed`(text: Substring, trimmed: Substring) {
        #expect(text.trimmingOWS == trimmed)
    }
}
