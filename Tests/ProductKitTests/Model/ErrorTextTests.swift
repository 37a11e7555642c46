import Foundation
import ProductKit
import Testing

/// The texts of all errors, for users and for developers.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ErrorTextTests {
    // Rule: errors/texts-are-for-users (21)
    @Test func `the table of the texts contains all errors`() async throws {
        let file = Repository.root.appending(path: "Docs/ERRORS.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let introduction = try #require(text.components(separatedBy: "| Error |").first)

        let table = await Self.rows.map { name, error in
            let developers = error.developerDescription.split(separator: "\n")
                .joined(separator: "<br>")
            return "| \(name) | \(error.localizedDescription) | \(developers) |"
        }
        let head = ["| Error | Text for users | `debugDescription` |", "|---|---|---|"]
        let expected = introduction + (head + table).joined(separator: "\n") + "\n"

        if text != expected {
            let copy = FileManager.default.temporaryDirectory.appending(path: "ERRORS.md")
            try Data(expected.utf8).write(to: copy)
            Issue.record("Read the differences, and copy \(copy.path()) to Docs/ERRORS.md.")
        }
    }

    // Rule: errors/texts-are-for-users (21)
    @Test func `the table contains all codes`() async throws {
        let names = await Self.rows.map(\.name)
        for (file, type) in [
            ("Networking/Errors/NetworkError+Code.swift", "NetworkError"),
            ("Offline/OutboxError.swift", "OutboxError"),
        ] {
            let url = Repository.sources.appending(path: file)
            let code = try String(contentsOf: url, encoding: .utf8)
            let declared = code.matches(of: /static let (\w+) = Code\(/).map(\.output.1)
            #expect(declared.count > 9)
            for name in declared { #expect(names.contains("`\(type).\(name)`")) }
        }
    }

    // Rule: errors/texts-are-for-users (21)
    @Test func `the table contains all cases`() async throws {
        let names = await Self.rows.map(\.name)
        let declaration = /enum (\w+): \w*Error\b(?:.|\n)*?\n}/
        var cases: [String] = []
        for code in try Self.sources {
            for match in code.matches(of: declaration) {
                cases += match.output.0.matches(of: /\n    case (\w+)/)
                    .map { "`\(match.output.1).\($0.output.1)`" }
            }
        }

        #expect(Set(cases).isSuperset(of: ["`TokenError.sessionEnded`", "`InvalidPrice.amount`"]))
        for name in cases { #expect(names.contains(name)) }
    }

    // Rule: errors/texts-are-for-users (21)
    @Test func `the document contains all types of errors`() throws {
        let file = Repository.root.appending(path: "Docs/ERRORS.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let parts = text.components(separatedBy: "| Error |")
        let (introduction, table) = try (#require(parts.first), #require(parts.last))
        let declaration =
            /(?:struct|enum|class|actor|extension) ([\w.]+)(?:<[^{}]*>)?\s*:([^{}]*?\b\w*Error\b)[^{}]*\{/
        var names: Set<Substring> = []
        for code in try Self.sources {
            names.formUnion(code.matches(of: declaration).map(\.output.1))
        }

        #expect(names.isSuperset(of: ["NetworkError", "InvalidIdentifier", "Unavailable"]))
        let missing = names.subtracting(Self.internalErrors).filter { name in
            !table.contains("\(name).") && !table.contains("| \(name):")
                && !introduction.contains("`\(name)`") && !introduction.contains(".\(name)`")
        }
        #expect(missing.isEmpty, "Add them to Docs/ERRORS.md.")
        #expect(names.isSuperset(of: Self.internalErrors))
    }

    // Rule: errors/texts-are-for-users (21)
    @Test func `the table contains all texts of errors for users`() async throws {
        let texts = await Set(Self.rows.map(\.error.localizedDescription))
        let literals = try Self.sources.flatMap { code in
            code.matches(of: /reason:\s*"([^"]+)"/).map { String($0.output.1) }
        }

        #expect(literals.count > 3)
        for text in literals { #expect(texts.contains(text)) }
    }

    // Rule: errors/texts-are-for-users (21)
    @Test func `no text for users is about the program`() async throws {
        let words = [
            "URL", "http", "JSON", "decode", "member", "status", "header", "code", "policy",
            "transport",
            "identifier", "closure", "errno", "null", "_", "(", "error",
        ]
        for (name, error) in await Self.rows where !name.contains("message of the server") {
            let text = error.localizedDescription
            for word in words where text.contains(word) { Issue.record("\(name): \(text)") }
            #expect(text.hasSuffix("."), "\(name)")
            // What happened, and what users can do.
            #expect(text.components(separatedBy: ". ").count >= 2, "\(name): \(text)")
        }
    }

    // Rule: errors/texts-are-for-users (21)
    @MainActor @Test func `a screen shows a text for users if URLSession throws`() async throws {
        let screen = ProductViewModel(
            .only(reload: { throw URLError(.notConnectedToInternet) })
        )

        await #expect(throws: URLError.self) { try await screen.reload() }

        let text = NetworkError(.unreachable).localizedDescription
        #expect(screen.lastError?.localizedDescription == text)
        #expect(screen.lastError?.underlying is URLError)
    }

    /// The types that are caught before they reach an app, or are only the cause of a `NetworkError`.
    private static let internalErrors: Set<Substring> = [
        "AttemptTimedOut", "ConfirmedWithoutProduct", "CurlFailure", "Failure", "Invalid",
        "MissingOutput", "Refusal", "ServiceSignedOut", "StoringObstacle", "TooLarge",
    ]

    /// The code of each source file, without comments.
    private static var sources: [String] {
        get throws {
            try Repository.files(in: "Sources", withExtensions: ["swift"]).map { url in
                try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
                    .filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
                    .joined(separator: "\n")
            }
        }
    }

    private static var rows: [(name: String, error: any Error)] {
        get async { await networkErrors + changedPages + inMemoryErrors + otherErrors }
    }

    /// The errors of pages that change while they are loaded.
    private static var changedPages: [(name: String, error: any Error)] {
        get async {
            let pages = ListManager.only(lists: { cursor in
                guard cursor == nil else { throw ListError.notFound("camp") }
                return Page([], next: "2")
            })
            let incomplete = ListManager.only(lists: { cursor in
                Page([], next: cursor == nil ? "2" : nil, total: 3)
            })
            let loader = ProductLoader.storingFavorites(in: incomplete)
            return [
                (
                    "`NetworkError.unavailable`, page that does not exist any longer",
                    await asyncError { _ = try await pages.allLists() }
                ),
                (
                    "`NetworkError.unavailable`, list that may be on another page",
                    await asyncError { _ = try await loader.favorites() }
                ),
            ]
        }
    }

    private static let otherErrors: [(name: String, error: any Error)] =
        [
            ("`ProductError.notFound`", ProductError.notFound("boots")),
            (
                "`ProductError.wrongProduct`",
                ProductError.wrongProduct(expected: "a", received: "b")
            ),
            ("`ListError.notFound`", ListError.notFound("camp")),
            (
                "`ListError.changed`",
                ListError.changed(current: ProductList(id: "camp", name: "Camping"))
            ),
            ("`ListError.reservedName`", ListError.reservedName("Favorites")),
            ("`UnsupportedOperation`", UnsupportedOperation("search")),
            ("`InvalidPrice.amount`", InvalidPrice.amount("9,99")),
            ("`InvalidPrice.currency`", InvalidPrice.currency("€")),
            ("An identifier that is not a number", InvalidIdentifier("boots")),
            ("`TokenError.sessionEnded`", TokenError.sessionEnded),
            ("`TokenError.tooManyRefreshes`", TokenError.tooManyRefreshes),
            ("`TokenError.refreshTimedOut`", TokenError.refreshTimedOut),
        ]
        + [
            OutboxError.Code.inUse, .newerVersion, .otherUser, .storageFailed, .full, .tooLarge,
            .invalidEdit, .discarded, .inFlight, .notStarted,
        ]
        .map { code in
            let isFailure = code == .storageFailed
            let error = OutboxError(
                code,
                operation: isFailure ? "append" : "",
                number: isFailure ? 28 : 0
            )
            return ("`OutboxError.\(code)`", error)
        }
        + [("A change that is saved again in place of being sent", SavedAgain())]

    private static var networkErrors: [(name: String, error: any Error)] {
        let codes: [NetworkError.Code] = [
            .invalidRequest, .insecure, .unreachable, .connectionLost, .incomplete, .timedOut,
            .untrusted, .redirect, .tooLarge, .unreadable, .notCached, .unauthorized, .forbidden,
            .notFound, .conflict, .rejected, .throttled, .unavailable, .unexpected,
        ]
        let message = NetworkResponse.json(
            #"{"code": "no_stock", "message": "Only two pans are left"}"#,
            statusCode: 409
        )
        let product = NetworkResponse.json(#"{"id": "pan", "name": "Pan", "prices": [{}]}"#)
        return codes.map { ("`NetworkError.\($0)`", NetworkError($0)) } + [
            (
                "`NetworkError.unreadable`, invalid member",
                error { _ = try product.json(Product.self) }
            ),
            ("`NetworkError.unexpected`, web page", NetworkError(.webPage(statusCode: 404))),
            (
                "`NetworkError.conflict`, message of the server",
                NetworkError(message, message: "message", code: "code")
            ),
            (
                "`NetworkError.connectionLost`, cancelled request of a screen",
                ViewModelFailure.cause(CancellationError())
            ),
        ]
    }

    /// The errors of `ProductService.inMemory` with a text of their own.
    private static var inMemoryErrors: [(name: String, error: any Error)] {
        get async {
            let (shop, text) = (ProductService.inMemory(), String(repeating: "a", count: 201))
            let search = await asyncError {
                _ = try await shop.loader.products(matching: ProductQuery(text: text))
            }
            let name = await asyncError { _ = try await shop.listManager.createList(named: text) }
            return [
                ("`NetworkError.rejected`, long search in memory", search),
                ("`NetworkError.rejected`, name of a list in memory", name),
            ]
        }
    }

    private static func error(_ work: () throws -> Void) -> any Error {
        do { try work() } catch { return error }
        return CancellationError()
    }

    private static func asyncError(_ work: () async throws -> Void) async -> any Error {
        do { try await work() } catch { return error }
        return CancellationError()
    }
}

extension Error {
    /// The debug description without what differs between platforms.
    fileprivate var developerDescription: String {
        String(reflecting: self).split(separator: "\n")
            .filter { !$0.hasPrefix("underlying: ") }
            .joined(separator: "\n")
    }
}
