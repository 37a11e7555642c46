import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryAfterTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private let time = ManualClock(skipsDelays: true)

    // Rule: retry/retry-after-is-obeyed (6)
    @Test(arguments: [
        ("0", 0), ("1", 1), ("59", 59), (" 7 ", 7), ("0000000000000000000000012", 12),
        // A fraction of a second is rounded up.
        ("2.0", 2), ("0.0", 0), ("0.1", 1), ("1.5", 2), ("2.000001", 3), (" 7.9 ", 8),
        ("0002.0000000000000000000000000000000000001", 3),
        // Any HTTP date format.
        ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("Sunday, 06-Nov-94 08:50:07 GMT", 30),
        ("Sun Nov  6 08:50:07 1994", 30), ("sun, 06 nov 1994 08:50:07 gmt", 30),
        // A date in the past means no delay.
        (date, 0), ("Sun, 06 Nov 1994 08:49:36 GMT", 0), ("Sat, 05 Nov 1994 23:59:59 GMT", 0),
        ("Friday, 31-Dec-93 23:59:60 GMT", 0), ("Thu Jan  1 00:00:00 1970", 0),
        ("Sat, 01 Jan 0001 00:00:00 GMT", 0), ("Monday, 06-Nov-45 08:49:37 GMT", 0),
    ])
    func `a number of seconds or a date is waited for`(text: String, seconds: Int) async {
        #expect(await delays(after: text) == [.seconds(seconds)])
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test(
        arguments: [
            (-172_800, date), (-3_600, date), (-1, date), (1, date), (3_600, date),
            (172_800, date), (4e8, date), (0, "yesterday"),
        ] as [(Double, String)]
    )
    func `a date is relative to the Date of the response, or to the clock if that is invalid`(
        offset: Double,
        date: String
    ) async {
        time.date += offset

        _ = await RetryBehavior(attempts: 2, effects: time.effects { _ in 0 })
            .sends { _ in
                var response = throttled("Sun, 06 Nov 1994 08:50:07 GMT")
                response.headers["Date"] = date
                return response
            }

        #expect(time.delays == [.seconds(30)])
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test(arguments: [
        "", " ", "soon", "-1", "+1", "1.", ".5", "1.5.1", "1.x", "1.-5", "1,5", "1e3", "0x10",
        "5, 10", "5 10", "5s", "٣", "½",
        "Sun, 06 Nov 1994 08:50:07", "Sun, 06 Nov 1994 08:50:07 UTC",
        "Sun, 06 Nov 1994 08:50:07 +0000", "Sun, 6 Nov 1994 08:50:07 GMT",
        "Sun, 31 Nov 1994 08:50:07 GMT", "Sun, 00 Nov 1994 08:50:07 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 8:50:07 GMT", "Sun, 06 Nov 94 08:50:07 GMT",
        "Xyz, 06 Nov 1994 08:50:07 GMT", "Sun, 06 Xyz 1994 08:50:07 GMT",
        "Sunday, 06-Nov-1994 08:50:07 GMT", "Sun Nov 6 08:50:07 1994", "1994-11-06T08:50:07Z",
        "Sun, 06 Nov 1994 08:50:07 GMT, Sun, 06 Nov 1994 08:50:07 GMT",
    ])
    func `an invalid field value is ignored`(text: String) async {
        #expect(await delays(after: text, jitter: 0.05) == [.milliseconds(50)])
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test(arguments: [
        ("1500", 1500), ("-5", 9000), ("0", 9000), ("soon", 9000),
        ("99999999999999999", 3_155_760_000_000),
    ])
    func `the delay is read from another field`(text: String, milliseconds: Int) async {
        let behavior = RetryBehavior(
            attempts: 2,
            deadline: .seconds(4_000_000_000),
            retryAfter: resetTime,
            effects: time.effects { _ in 0 }
        )

        _ = await behavior.sends { _ in
            NetworkResponse(statusCode: 429, headers: ["X-Reset-Ms": text, "Retry-After": "9"])
        }

        #expect(time.delays == [.milliseconds(milliseconds)])
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test(arguments: [("1500", "2"), ("2000", "2"), ("-5", "9"), ("0", "9"), ("soon", "9")])
    func `the delay of another field is returned as Retry-After`(
        text: String,
        field: String
    ) async throws {
        let behavior = RetryBehavior(attempts: 1, retryAfter: resetTime, effects: .stopped)
        for (method, statusCode, expected) in [("POST", 429, field), ("GET", 404, "9")] {
            let response = try await behavior.send(OutgoingRequest(method)) { _ in
                NetworkResponse(
                    statusCode: statusCode,
                    headers: ["X-Reset-Ms": text, "Retry-After": "9"]
                )
            }

            #expect(response.headers["Retry-After"] == expected)
        }
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test(arguments: [(429, 9), (503, 9), (408, 0), (425, 0), (500, 0), (502, 0), (504, 0)])
    func `it is used with status codes 429 and 503 only`(statusCode: Int, seconds: Int) async {
        #expect(await delays(after: "9", statusCode: statusCode) == [.seconds(seconds)])
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test(arguments: [("2", 2.0), ("0", 0.05)])
    func `the delay is never shorter than Retry-After`(text: String, seconds: Double) async {
        #expect(await delays(after: text, jitter: 0.05) == [.seconds(seconds)])
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test func `a date is compared with the time of day when the response arrives`() async {
        _ = await RetryBehavior(attempts: 2, effects: time.effects())
            .sends { _ in
                time.advance(by: .seconds(20))
                return throttled("Sun, 06 Nov 1994 08:50:07 GMT")
            }

        #expect(time.delays == [.seconds(10)])
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test(arguments: [
        "60", "61", "3600", "3155760001", "9223372036854775807", "9223372036854775808",
        "99999999999999999999999999999999999999999", "Sun, 06 Nov 1994 08:50:37 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT", "Sunday, 06-Nov-44 08:49:37 GMT",
    ])
    func `a response with a delay beyond the deadline is returned immediately`(
        text: String
    ) async throws {
        let sends = Counter()
        let retry = RetryBehavior(deadline: .seconds(60), effects: time.effects())

        let response = try await retry.send { _ in
            sends.next()
            return throttled(text)
        }

        #expect(sends.count == 1 && time.delays.isEmpty && response == throttled(text))
        let error = NetworkError(response)
        #expect(error.code == .unavailable && error.statusCode == 503)
        #expect(error.debugDescription.contains("60.0 s are left"))
        #expect(error.localizedDescription.hasSuffix("Try again later."))
    }

    // Rule: retry/retry-after-is-obeyed (6); requests/expected-problem-is-output (17)
    @Test func `the client reads the failure of a response with a delay beyond the deadline`()
        async throws
    {
        let client = NetworkClient(
            behaviors: [RetryBehavior(effects: .stopped)],
            failure: { response in
                NetworkError(response, message: "text", code: "error", codes: ["SOLD": .conflict])
            }
        ) { _ in
            .json(
                #"{"error": "SOLD", "text": "Only two pans are left."}"#,
                statusCode: 503,
                headers: ["Retry-After": "120"]
            )
        }
        let request = NetworkRequest<Int>.get("stock")

        let error = await client.error(of: request)

        #expect(error?.code == .conflict)
        #expect(error?.localizedDescription == "Only two pans are left.")
        #expect(error?.debugDescription.contains("in 120.0 s, but only 60.0 s are left") == true)
        #expect(try await client.send(request.returning(2, forProblem: "SOLD")) == 2)
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test(arguments: ["59", "Sun, 06 Nov 1994 08:50:36 GMT"])
    func `a delay shorter than the deadline is waited`(text: String) async {
        #expect(await delays(after: text, deadline: .seconds(60)) == [.seconds(59)])
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test func `the error names the time left after several attempts`() async throws {
        let fieldValues = Mutex(["7", "60"])
        let retry = RetryBehavior(deadline: .seconds(60), effects: time.effects())

        let error = NetworkError(
            try await retry.send { _ in throttled(fieldValues.withLock { $0.removeFirst() }) }
        )

        #expect(error.debugDescription.contains("in 60.0 s, but only 53.0 s are left"))
        #expect(error.attempts.map(\.statusCode) == [503, 503])
        #expect(error.attempts.map(\.delay) == [.seconds(7), nil])
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test func `a random delay beyond the deadline returns the response`() async throws {
        let retry = RetryBehavior(
            deadline: .milliseconds(10),
            effects: ManualClock(skipsDelays: true).effects { $0.upperBound }
        )

        let response = try await retry.send { _ in throttled("0") }

        #expect(response.statusCode == 503)
    }

    // Rule: retry/retry-after-is-obeyed (6)
    @Test func `Retry-After of the last attempt is ignored`() async throws {
        let response = try await RetryBehavior(attempts: 1, effects: .skippingDelays)
            .send { _ in throttled("3600") }

        #expect(response == throttled("3600"))
    }

    private func delays(
        after text: String,
        statusCode: Int = 503,
        deadline: Duration = .seconds(60),
        jitter: Double = 0
    ) async -> [Duration] {
        let effects = time.effects { _ in jitter }
        _ = await RetryBehavior(attempts: 2, deadline: deadline, effects: effects)
            .sends { _ in throttled(text, statusCode: statusCode) }
        return time.delays
    }
}

private func throttled(_ text: String, statusCode: Int = 503) -> NetworkResponse {
    NetworkResponse(statusCode: statusCode, headers: ["retry-after": text])
}

/// The delay that a server of another kind requires.
@Sendable private func resetTime(_ response: NetworkResponse) -> Duration? {
    response.headers["X-Reset-Ms"].flatMap { Int($0) }.map { .milliseconds($0) }
}
