import Foundation
import ProductKit
import Testing

/// The plain text of HTML.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PlainTextTests {
    // Rule: json/html-becomes-plain-text (13)
    @Test(
        arguments: [
            ("", ""), ("Boots", "Boots"), ("  Warm \n\t boots ", "Warm boots"),
            ("<p>Warm.</p><p>Dry.</p>", "Warm.\nDry."), ("a<br>b<BR/>c", "a\nb\nc"),
            ("a<br><br>\n <p> b</p>", "a\nb"), ("<ul>\n<li>A</li>\n<li>B</li></ul>", "A\nB"),
            ("<b>Wa</b><i>rm</i> boots", "Warm boots"),
            ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
            ("<a title='>' href=\"a>b\">x</a>", "x"), ("<a title=it's>x</a>y'", "xy'"),
            ("<!-- a > b -- c -->x<!-->y<!--->z<!doctype html>", "xyz"),
            ("a</>b</ >c<?php ?>d", "abcd"),
            ("<script>if (a < b) '</p>'</script>x<STYLE>p > a {}</Style >y", "xy"),
            ("<script></scriptx></script/>x", "x"), ("<p-card>x</p-card>y", "xy"),
            ("1 < 2 > 0 & 3 <> 4 <3", "1 < 2 > 0 & 3 <> 4 <3"),
            ("a<b", "a"), ("a<!-- b", "a"), ("a<script>b", "a"), ("a<a href=\"b>c", "a"),
            ("&lt;b&gt; &amp;amp; &quot;&apos;", "<b> &amp; \"'"),
            ("42&nbsp;&euro; &ndash; gr&ouml;&szlig;er", "42\u{A0}€ – größer"),
            ("&#8364;&#x20ac;&#X20AC;&#128;&#151;", "€€€€—"),
            ("&#0;&#xD800;&#x110000;&#99999999999999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&unknown; &amp &; &#; &#x; &#12a; &", "&unknown; &amp &; &#; &#x; &#12a; &"),
            ("a&#32;&#10;b", "a b"), ("&Uuml;&yuml;&nbsp;", "Üÿ\u{A0}"), ("e\u{301}<b>😀</b>", "é😀"),
            ("a\r\nb\u{0C}c", "a b c"), ("<p>a</p><p>&nbsp;</p><p>b</p>", "a\nb"),
            ("<p>&nbsp;", ""),
            ("<details><summary>a</summary>b</details><legend>c</legend>", "a\nb\nc"),
        ]
    )
    func `markup is removed, and references are decoded`(html: String, text: String) {
        #expect(String(plainTextFromHTML: html) == text)
    }

    // Rule: json/html-becomes-plain-text (13)
    @Test(
        .tags(.timing),
        .timed,
        arguments: [
            "<", "<a", "<a ", "<a b=\"", "</", "<!--", "<!", "<script>", "<script></", "&", "&#",
            "&amp", "<script></script", "&#9", "\n<br>", "</scrip", "<script></a", "a ", "<a b='>",
        ]
    )
    func `the time is proportional to the length`(part: String) {
        let growth = growth { html in
            _ = String(plainTextFromHTML: html)
        } for: { length in
            String(repeating: part, count: length)
        }

        #expect(growth < 200)
    }
}
