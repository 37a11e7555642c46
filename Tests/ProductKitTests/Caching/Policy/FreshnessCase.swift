import ProductKit
import Testing

/// A header field received at 08:49:37 GMT on 6 November 1994, and the seconds until it is stale.
struct FreshnessCase: Sendable, CustomTestStringConvertible {
    let text: String
    /// The seconds until the response is stale; `nil` when it may not be stored.
    let seconds: Int?

    init(_ text: String, _ seconds: Int?) {
        self.text = text
        self.seconds = seconds
    }

    var testDescription: String { "\(text) → \(seconds.map(String.init) ?? "not stored")" }
}

extension FreshnessCase {
    /// Values of `Cache-Control`.
    static let cacheControl = cases([
        // Numbers (§1.2.2)
        0: ["max-age=0"],
        60: ["max-age=60", "max-age=0060"],
        2_147_483_648: ["max-age=2147483649", "max-age=99999999999999999999999999999999999999"],
        // An invalid argument is 0
        0: [
            "max-age", "max-age=", "max-age=-1", "max-age=+60", "max-age=60.0", "max-age=a60",
            "max-age=60 60", "max-age=60; public", "max-age=٦٠", "max-age=60=60", "max-age==60",
            "max-age =60", "max-age= 60", "max-age:60", "maxage=60", "max-age60",
        ],
        // Quotes (RFC 9110 §5.6.4)
        0: [
            "max-age=\" 60\"", "max-age=\"60", "max-age=\"60\"x", "\"max-age=60\"",
            "a=\"max-age=60\"", "a=\"b, max-age=60\"",
        ],
        10: ["a=\"b, max-age=60\", max-age=10", "a=\"b\\\", max-age=60, c\", max-age=10"],
        60: [
            "max-age=\"60\"", "max-age=\"6\\0\"", "a=\"b, max-age=60", "a=b\", max-age=60",
            "a=\"no-store\", max-age=60", "a=\"x, no-store, y\", max-age=60",
        ],
        nil: ["a=\"x, no-store, max-age=60"],
        // Names in any case
        0: ["max-age=60, NO-CACHE"],
        60: ["MAX-AGE=60", "No-Cache=\"a\", max-age=60"],
        nil: ["NO-STORE"],
        // Lists (RFC 9110 §5.6.1)
        0: ["", ",", "=", "=60", "public max-age=60"],
        60: [
            "public, max-age=60", "public\t,\tmax-age=60", ",,, ,max-age=60,", "=, max-age=60",
            "🥾=🥾, max-age=60",
        ],
        // The first of repeated directives counts
        0: ["max-age=0, max-age=60", "max-age=x, max-age=60", "max-age, max-age=60"],
        10: ["max-age=10, max-age=60"],
        60: ["max-age=60, max-age=10", "max-age=60, max-age=x", "max-age=60, MAX-AGE=10"],
        // Other directives
        0: [
            "no-cache", "no-cache, max-age=60", "no-cache=\"\", max-age=60",
            "no-cache=1, max-age=60", "no-cache=\"set-cookie\", no-cache, max-age=60", "private",
            "public", "s-maxage=60", "immutable",
        ],
        60: [
            "no-cache=\"set-cookie\", max-age=60", "no-cache=\"set-cookie, x-a\", max-age=60",
            "private, max-age=60", "private=\"x-a\", max-age=60", "s-maxage=0, max-age=60",
            "max-age=60, s-maxage=10", "max-age=60, must-revalidate",
            "max-age=60, proxy-revalidate", "max-age=60, no-transform", "max-age=60, immutable",
            "max-age=60, unknown", "unknown=1, max-age=60", "max-age=60, min-fresh=100",
            "max-age=60, max-stale=100", "max-age=60, only-if-cached",
            "max-age=60, stale-if-error=100", "must-understand, max-age=60",
            "must-understand, no-store, max-age=60", "no-store, must-understand, max-age=60",
        ],
        nil: [
            "no-store", "no-store, max-age=60", "max-age=60, no-store", "no-store=1, max-age=60",
            "no-store=\"\", max-age=60", "no-store =1, max-age=60",
        ],
    ])

    /// Values of `Age`, with `max-age=60`.
    static let age = cases([
        0: ["60", "61", "99999999999999999999999999"],
        1: ["59"],
        40: ["20", "020", "20, 0", ", 20", " 20 "],
        60: ["0", "0, 20", "", "-20", "20.0", "20s", "\"20\"", "٢٠"],
    ])

    /// Values of `Last-Modified`, without explicit expiration.
    static let lastModified = cases([
        0: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:49:37 GMT",
            "Sun, 06 Nov 1994 08:39:37 UTC", "yesterday", "0",
        ],
        1: ["Sun, 06 Nov 1994 08:49:27 GMT"],
        60: [
            "Sun, 06 Nov 1994 08:39:37 GMT", "Sunday, 06-Nov-94 08:39:37 GMT",
            "Sun Nov  6 08:39:37 1994",
        ],
        3_599: ["Sat, 05 Nov 1994 22:49:47 GMT"],
        3_600: [
            "Sat, 05 Nov 1994 22:49:37 GMT", "Sat, 05 Nov 1994 08:49:37 GMT",
            "Thu, 01 Jan 1970 00:00:00 GMT",
        ],
    ])

    /// Values of `Expires`, with the current `Date`.
    static let expires = cases([
        // The preferred format, in any case
        0: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:36 GMT",
            "Sat, 06 Nov 1954 08:50:37 GMT", "Thu, 01 Jan 1970 00:00:00 GMT",
            "Wed, 29 Feb 1995 08:50:37 GMT",
        ],
        1: ["Sun, 06 Nov 1994 08:49:38 GMT", "Sun, 06 Nov 1994 08:49:38 gmt"],
        23: ["Sun, 06 Nov 1994 08:49:60 GMT"],
        60: [
            "Sun, 06 Nov 1994 08:50:37 GMT", " Sun, 06 Nov 1994 08:50:37 GMT ",
            "sun, 06 Nov 1994 08:50:37 GMT", "SUN, 06 NOV 1994 08:50:37 GMT",
            "Sun, 06 nov 1994 08:50:37 gmt", "sUN, 06 nOV 1994 08:50:37 gMt",
        ],
        54_622: ["Sun, 06 Nov 1994 23:59:59 GMT"],
        86_400: ["Mon, 07 Nov 1994 08:49:37 GMT"],
        4_806_622: ["Sat, 31 Dec 1994 23:59:59 GMT"],
        41_472_000: ["Thu, 29 Feb 1996 08:49:37 GMT"],
        // The two obsolete formats
        0: ["Sunday, 06-Nov-45 08:49:37 GMT"],
        60: [
            "Sunday, 06-Nov-94 08:50:37 GMT", "SUNDAY, 06-NOV-94 08:50:37 gmt",
            "Sun Nov  6 08:50:37 1994", "sun nov  6 08:50:37 1994",
        ],
        86_400: ["Monday, 07-Nov-94 08:49:37 GMT"],
        864_000: ["Wed Nov 16 08:49:37 1994"],
        1_577_923_200: ["Sunday, 06-Nov-44 08:49:37 GMT"],
        // Invalid dates
        0: [
            "Sun, 06 Nov 1994 08:50:37 Z", "Sun, 06 Nov 1994 08:50:37GMT",
            "Sun, 6 November 1994 08:50:37 GMT", "Sunday, 6-Nov-94 08:50:37 GMT",
            "Sunday, 06-Nov-94 8:50:37 GMT", "Sun Nov  6 8:50:37 1994",
            "Sun Nov  6 08:50:37 1994 GMT", "0", "-1", "", "3600", "784111837", "tomorrow",
            "1994-11-06T08:50:37Z", "Sun, 06 Nov 1994 08:50:37", "Sun, 06 Nov 1994 08:50:37 UTC",
            "Sun, 06 Nov 1994 08:50:37 AEST", "Sun, 06 Nov 1994 08:50:37 +0000",
            "Sun, 06 Nov 1994 08:50:37 GMT+1", "Sun 06 Nov 1994 08:50:37 GMT",
            "Sun,06 Nov 1994 08:50:37 GMT", "06 Nov 1994 08:50:37 GMT",
            "Sun, 06-Nov-1994 08:50:37 GMT", "Sun, 06-Nov-94 08:50:37 GMT",
            "Sunday, 06 Nov 1994 08:50:37 GMT", "Sunday, 06-Nov-1994 08:50:37 GMT",
            "Sun, 06 Nov 94 08:50:37 GMT", "Sun, 6 Nov 1994 08:50:37 GMT",
            "Sun, 06 Nov 1994 8:50:37 GMT", "Sun, 06 Nov 1994 08:50 GMT",
            "Sun, 06 Nov 1994 08.50.37 GMT", "Sun, 06 Nov 1994 08:50:61 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun,  06 Nov 1994 08:50:37 GMT", "Sun, 06  Nov 1994 08:50:37 GMT",
            "Sun, 06 Nov 1994  08:50:37 GMT", "Sun, 06 Nov 1994 08:50:37  GMT",
            "Sun, 00 Nov 1994 08:50:37 GMT", "Sun, 31 Nov 1994 08:50:37 GMT",
            "Sun, 06 Nov. 1994 08:50:37 GMT", "Sun, 06 November 1994 08:50:37 GMT",
            "Sun, 06 Nov 1994 08:50:37 GMT, Sun, 06 Nov 1994 08:50:37 GMT",
            "Sun Nov 6 08:50:37 1994", "Sun Nov 06 08:50:37 94", "Sun, 06 Nov 1994 ०८:50:37 GMT",
        ],
    ])

    /// Returns the cases of a table of texts by their seconds.
    private static func cases(_ table: KeyValuePairs<Int?, [String]>) -> [FreshnessCase] {
        table.flatMap { seconds, texts in texts.map { FreshnessCase($0, seconds) } }
    }
}
