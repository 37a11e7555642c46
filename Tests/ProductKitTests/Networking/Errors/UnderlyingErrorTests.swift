import Foundation
import ProductKit
import Testing

/// Tests of the causes of errors: they contain no secrets, and their texts are bounded.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UnderlyingErrorTests {
    private let address = "https://me:canary@a.example/?token=canary"

    private var systemError: NSError {
        NSError(
            domain: NSURLErrorDomain,
            code: URLError.timedOut.rawValue,
            userInfo: [
                "NSErrorFailingURLStringKey": address,
                NSURLErrorFailingURLErrorKey: URL(string: address) as Any,
                NSLocalizedDescriptionKey: "canary",
            ]
        )
    }

    // Rule: security/no-url-secrets-in-text (16)
    @Test func `an NSError in the domain of URLError has only its code`() {
        let error = NetworkError(.timedOut, underlying: systemError)

        #expect(!texts(of: error).contains("canary"))
        let cause = error.underlying as? NSError
        #expect(cause?.code == URLError.timedOut.rawValue && cause?.userInfo.isEmpty == true)
    }

    // Rule: errors/texts-are-limited (8)
    @Test func `an NSError has at most 100 entries, and its domain and keys are cut off`() throws {
        let flood = String(repeating: "x", count: 1 << 20)
        let cause = NSError(domain: "com.example", code: 1)
        var userInfo: [String: Any] = [
            "a" + flood: "text",
            "NSMultipleUnderlyingErrorsKey": Array(repeating: cause, count: 200),
        ]
        for number in 100..<300 { userInfo["b\(number)"] = "text" }

        let error = NetworkError(
            .timedOut,
            underlying: NSError(domain: flood, code: 1, userInfo: userInfo)
        )

        let underlying = try #require(error.underlying as? NSError)
        #expect(underlying.domain.utf8.count == 4_096)
        let entries = underlying.userInfo
        #expect(entries.count == 100)
        #expect(entries.keys.map(\.utf8.count).max() == 4_096)
        #expect((entries["NSMultipleUnderlyingErrorsKey"] as? [any Error])?.count == 100)
        #expect(entries["b197"] as? String == "text" && entries["b198"] == nil)
    }

    // Rule: security/no-url-secrets-in-text (16)
    @Test func `the causes of a cause contain no secret`() {
        let inner = NSError(
            domain: "com.example.proxy",
            code: 7,
            userInfo: [
                NSUnderlyingErrorKey: systemError,
                NSURLErrorFailingURLErrorKey: URL(string: address) as Any,
                NSLocalizedDescriptionKey: "The proxy refused <\(address)> (via=\(address)).",
                "response": Data("canary".utf8),
            ]
        )
        let outer = NSError(
            domain: "com.example.engine",
            code: 8,
            userInfo: [NSUnderlyingErrorKey: inner, "NSMultipleUnderlyingErrorsKey": [inner]]
        )

        let error = NetworkError(.connectionLost, underlying: outer)

        #expect(!texts(of: error).contains("canary"))
        let cause = error.underlying as? NSError
        #expect(cause?.domain == "com.example.engine" && cause?.code == 8)
        let next = cause?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(
            next?.localizedDescription == "The proxy refused <https://a.example/?token=redacted> "
                + "(via=https://a.example/?token=redacted"
        )
        #expect((next?.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == NSURLErrorDomain)
    }

    // Rule: security/no-url-secrets-in-text (16)
    @Test func `a file error with a URL contains no secret`() {
        let error = NetworkError(
            .connectionLost,
            underlying: CocoaError(
                .fileReadUnknown,
                userInfo: [NSUnderlyingErrorKey: systemError, NSURLErrorKey: address]
            )
        )

        #expect(!texts(of: error).contains("canary"))
        #expect((error.underlying as? CocoaError)?.code == .fileReadUnknown)
    }

    // Rule: security/no-url-secrets-in-text (16); errors/code-suggests-the-remedy (1)
    @Test func `an NSError of the networking is converted as a URLError is`() async throws {
        let systemError = systemError
        let client = NetworkClient { _ in throw systemError }

        let error = try #require(await client.error(of: .boots))

        #expect(error.code == .timedOut)
        #expect(!texts(of: error).contains("canary"))
    }

    @Test func `an error of another type is unchanged`() {
        let error = NetworkError(.connectionLost, underlying: ProductError.notFound("tea"))

        #expect(error.underlying as? ProductError == .notFound("tea"))
    }

    // Rule: errors/texts-are-limited (8)
    @Test func `a decoding error keeps its kind and its path, but not a long name`() throws {
        let name = String(repeating: "ö", count: 1 << 20)
        let response = NetworkResponse.json(#"{"a": {"\#(name)": [1, "x"]}}"#)

        let error = try #require(
            #expect(throws: NetworkError.self) {
                try response.json([String: [String: [Int]]].self)
            }
        )

        guard case DecodingError.typeMismatch(_, let context) = try #require(error.underlying)
        else {
            Issue.record("\(String(describing: error.underlying))")
            return
        }
        let path = context.codingPath
        #expect(path.count == 3)
        #expect(path.first?.stringValue == "a" && path.last?.intValue == 1)
        #expect(path[1].stringValue.utf8.count <= 4_096)
        #expect(path[1].stringValue.allSatisfy { $0 == "ö" })
        #expect(String(reflecting: error).utf8.count < 16_384)
    }

    // Rule: errors/texts-are-limited (8)
    @Test func `a missing member of a long name is cut off`() throws {
        let name = String(repeating: "n", count: 1 << 20)
        let response = NetworkResponse.json("{}")

        let error = try #require(
            #expect(throws: NetworkError.self) { try response.json(Int.self, at: [name]) }
        )

        guard case DecodingError.keyNotFound(let key, _) = try #require(error.underlying) else {
            Issue.record("\(String(describing: error.underlying))")
            return
        }
        #expect(key.stringValue.utf8.count == 4_096)
        #expect(error.details?.utf8.count ?? .max <= 4_096)
        #expect(error.details?.hasSuffix("Correct the server or the type to decode.") == true)
    }

    // Rule: errors/texts-are-limited (8)
    @Test func `the cause and the text of a decoding error are cut off`() async throws {
        let flood = String(repeating: "x", count: 1 << 20)
        let response = NetworkResponse.json(#"{"price": "\#(flood)"}"#)
        let request = NetworkRequest<String>(method: "GET", segments: []) {
            try $0.json(at: "price")
        }
        .map { text, _ in try MemberPath("price").reading { try Price(text, currency: "EUR") } }
        let client = NetworkClient { _ in response }

        let error = try #require(await client.error(of: request))

        guard case DecodingError.dataCorrupted(let context) = try #require(error.underlying) else {
            Issue.record("\(String(describing: error.underlying))")
            return
        }
        #expect(context.debugDescription.utf8.count <= 1_024)
        #expect(String(reflecting: error).utf8.count < 16_384)
        let cause = context.underlyingError as? DecodingError
        guard case .dataCorrupted(let context) = try #require(cause) else { return }
        #expect(context.underlyingError == nil)
    }

    /// All texts that a program can print about an error.
    private func texts(of error: NetworkError) -> String {
        var texts = [
            "\(error)", String(reflecting: error), error.localizedDescription,
            String(reflecting: error.underlying), "\(String(describing: error.underlying))",
            "\((error.underlying as? NSError)?.userInfo ?? [:])",
        ].joined(separator: "\n")
        dump(error, to: &texts)
        dump(error.underlying, to: &texts)
        return texts
    }
}
