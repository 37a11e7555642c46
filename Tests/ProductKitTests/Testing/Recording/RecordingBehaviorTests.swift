import Foundation
import ProductKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.serialized, .timeLimit(.minutes(5))) struct RecordingBehaviorTests {
    // Rule: recording/each-attempt-is-recorded (13)
    @Test func `each attempt is recorded, and a replay repeats them`() async throws {
        try await withRecording { recording in
            let attempts = Counter()
            let retry = RetryBehavior(effects: ManualClock(skipsDelays: true).effects())
            let client = NetworkClient(
                baseURL: .api,
                networking: .closure { _ in
                    switch attempts.next() {
                    case 1: throw NetworkError(.timedOut)
                    case 2: .json("{}", statusCode: 503)
                    default: .json("7")
                    }
                },
                behaviors: [retry, try RecordingBehavior(to: recording.file)]
            )
            let value: Int = try await client.send(.get("goods"))
            let replay = try recording.replay()
            let replaying = NetworkClient(
                baseURL: .api,
                networking: replay,
                behaviors: [retry]
            )

            #expect(replay.unused.count == 3)
            #expect(try await replaying.send(.get("goods")) == value)
            #expect(replay.unused.isEmpty)
        }
    }

    // Rule: recording/misplaced-behavior-throws (14)
    @Test(arguments: [true, false])
    func `outside of retries, several attempts are an error`(succeeds: Bool) async throws {
        try await withRecording { recording in
            let attempts = Counter()
            let client = NetworkClient(
                baseURL: .api,
                networking: .closure { _ in
                    guard succeeds, attempts.next() > 1 else { throw NetworkError(.timedOut) }
                    return .json("7")
                },
                behaviors: [
                    try RecordingBehavior(to: recording.file),
                    RetryBehavior(effects: ManualClock(skipsDelays: true).effects()),
                ]
            )

            let error = await #expect(throws: RecordingError.self) {
                let _: Int = try await client.send(.get("goods"))
            }

            #expect(error?.code == .misplaced)
            #expect(error?.localizedDescription.contains("shop.json") == true)
            #expect(try recording.replay().unused.isEmpty)
        }
    }

    // Rule: recording/misplaced-behavior-throws (14)
    @Test func `outside of a cache, a stored response is an error`() async throws {
        try await withRecording { recording in
            let client = NetworkClient(
                baseURL: .api,
                networking: .closure { _ in .json("7", headers: ["Cache-Control": "max-age=60"]) },
                behaviors: [
                    try RecordingBehavior(to: recording.file),
                    CachingBehavior(cache: ResponseCache(), partition: { "ann" }),
                ]
            )
            let _: Int = try await client.send(.get("goods"))

            let error = await #expect(throws: RecordingError.self) {
                let _: Int = try await client.send(.get("goods"))
            }

            #expect(error?.code == .misplaced)
            #expect(try recording.replay().unused.count == 1)
        }
    }

    // Rule: recording/cancelled-leaves-nothing (15)
    @Test func `a cancelled request and an error of another type leave nothing`() async throws {
        try await withRecording { recording in
            struct ShopError: Error {}
            let gate = ActionGate<Void>()
            let behavior = try RecordingBehavior(to: recording.file)
            let task = Task {
                try await behavior.send(.to("cancelled")) { _ in
                    try await gate.hold()
                    return .json("1")
                }
            }
            await gate.waitForCalls(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await #expect(throws: ShopError.self) {
                try await behavior.send(.to("failed")) { _ in throw ShopError() }
            }
            _ = try await behavior.send(.to("goods")) { _ in .json("1") }

            #expect(
                try recording.replay().unused == ["GET https://api.example.com/v1/goods"]
            )
        }
    }

    // Rule: recording/order-is-stable (16)
    @Test(arguments: [
        (["PUT b", "PUT a"], ["PUT b", "PUT a"]),
        (["GET b", "GET a"], ["GET a", "GET b"]),
        (["GET b", "PUT c", "GET a"], ["GET b", "PUT c", "GET a"]),
        (["PUT c", "GET b", "PUT a", "PUT b"], ["PUT c", "GET b", "PUT a", "PUT b"]),
    ])
    func `exchanges are in the order of their requests, and reads between writes are sorted`(
        requests: [String],
        recorded: [String]
    ) async throws {
        try await withRecording { recording in
            let behavior = try RecordingBehavior(to: recording.file)
            let gates = requests.map { _ in ActionGate<Void>() }
            var tasks: [Task<NetworkResponse, any Error>] = []
            for (request, gate) in zip(requests, gates) {
                let request = URLRequest.to(String(request.suffix(1)), String(request.prefix(3)))
                tasks.append(
                    Task {
                        try await behavior.send(request) { _ in
                            try await gate.hold()
                            return .json("1")
                        }
                    }
                )
                await gate.waitForCalls(1)
            }
            for (task, gate) in zip(tasks, gates).reversed() {
                gate.open()
                _ = try await task.value
            }

            let lines = try recording.replay().unused
            #expect(lines.map { "\($0.prefix(3)) \($0.suffix(1))" } == recorded)
        }
    }

    // Rule: recording/order-is-stable (16)
    @Test(
        arguments: [
            ([.to("a", "HEAD"), .to("b", "HEAD")], true),
            ([.to("a", headers: ["Accept": "a"]), .to("a", headers: ["Accept": "b"])], true),
            ([.to("a"), .to("b", "POST", body: "1", headers: ["ProductKit-Read": "*"])], true),
            (
                ["1", "2"].map { .to("a", "POST", body: $0, headers: ["ProductKit-Read": "*"]) },
                true
            ),
            ([.to("a", "POST", body: "1"), .to("a", "POST", body: "2")], false),
        ] as [([URLRequest], Bool)]
    )
    func `only reads are sorted, by URL, compared header fields and body`(
        requests: [URLRequest],
        isSorted: Bool
    ) async throws {
        try await withRecording { recording in
            var texts: Set<String> = []
            for requests in [requests, requests.reversed()] {
                let behavior = try RecordingBehavior(to: recording.file, comparing: ["Accept"])
                for request in requests {
                    _ = try await behavior.send(request) { _ in NetworkResponse() }
                }
                texts.insert(try recording.text)
            }

            #expect(texts.count == (isSorted ? 1 : 2))
        }
    }

    // Rule: recording/order-is-stable (16)
    @Test func `the file contains the exchanges that have ended`() async throws {
        try await withRecording { recording in
            let gate = ActionGate<Void>()
            let behavior = try RecordingBehavior(to: recording.file)
            let first = Task {
                try await behavior.send(.to("first")) { _ in
                    try await gate.hold()
                    return .json("1")
                }
            }
            await gate.waitForCalls(1)
            _ = try await behavior.send(.to("second")) { _ in .json("2") }
            let partial = try recording.replay().unused
            gate.open()
            _ = try await first.value

            #expect(partial == ["GET https://api.example.com/v1/second"])
            #expect(try recording.replay().unused.count == 2)
        }
    }

    // Rule: recording/new-recording-replaces-file (17)
    @Test func `recording again replaces the file and leaves nothing of the former one`()
        async throws
    {
        try await withRecording { recording in
            try await recording.record(.to("old"), .to("older")) { _ in .json("1") }
            let behavior = try RecordingBehavior(to: recording.file)
            let empty = try recording.replay().unused
            _ = try await behavior.send(.to("new")) { _ in .json("1") }

            #expect(empty.isEmpty)
            #expect(try recording.replay().unused == ["GET https://api.example.com/v1/new"])
            let folder = recording.file.deletingLastPathComponent()
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.path(percentEncoded: false)
            )
            #expect(names == ["shop.json"])
        }
    }

    // Rule: recording/new-recording-replaces-file (17)
    @Test func `a file that is being read is replaced and not overwritten`() async throws {
        try await withRecording { recording in
            try await recording.record(.to("old")) { _ in .json("1") }
            let text = try recording.text
            let reader = try FileHandle(forReadingFrom: recording.file)
            try await recording.record(.to("new")) { _ in .json("1") }

            #expect(try reader.readToEnd().map { String(decoding: $0, as: UTF8.self) } == text)
            try reader.close()
        }
    }

    // Rule: recording/file-is-reviewable (18)
    @Test func `a recording is readable JSON that does not depend on the order of members`()
        async throws
    {
        try await withRecording { recording in
            let sku = #"{"sku": 4711, "label": "\#(String(repeating: "Pan ", count: 20))"}"#
            try await recording.record(
                .to("lists/7", "PUT", body: #"{"title": "Camp", "revision": 3}"#),
                .to("goods?find=pan")
            ) { request in
                guard request.httpMethod == "GET" else { throw NetworkError(.timedOut) }
                return .json(
                    #"{"goods": [\#(sku)], "count": 12.50}"#,
                    headers: [
                        "X-B": "2", "X-A": "1", "Date": "today", "Content-Length": "99",
                        "content-encoding": "gzip", "Connection": "close", "Keep-Alive": "5",
                        "Transfer-Encoding": "chunked", "TE": "gzip", "Trailer": "X",
                        "Upgrade": "h2",
                        "Proxy-Connection": "close",
                    ]
                )
            }

            #expect(
                try recording.text == """
                    {
                      "version": 1,
                      "comparedHeaders": [],
                      "exchanges": [
                        {
                          "request": {
                            "method": "PUT",
                            "url": "https://api.example.com/v1/lists/7",
                            "json": {"revision": 3, "title": "Camp"}
                          },
                          "failure": "timedOut"
                        },
                        {
                          "request": {"method": "GET", "url": "https://api.example.com/v1/goods?find=pan"},
                          "response": {
                            "status": 200,
                            "headers": {"Content-Type": "application/json", "X-A": "1", "X-B": "2"},
                            "json": {
                              "count": 12.50,
                              "goods": [
                                {
                                  "label": "\(String(repeating: "Pan ", count: 20))",
                                  "sku": 4711
                                }
                              ]
                            }
                          }
                        }
                      ]
                    }

                    """
            )
        }
    }

    // Rule: recording/bad-file-is-an-error (19)
    @Test(
        arguments: [
            ("", .damaged), ("{}", .damaged), ("[]", .damaged), ("null", .damaged),
            (#"{"version": 0, "exchanges": []}"#, .damaged),
            (#"{"version": "1", "exchanges": []}"#, .damaged),
            (#"{"version": 1}"#, .damaged),
            (#"{"version": 1, "exchanges": []}"#, .damaged),
            (#"{"version": 1, "comparedHeaders": [1], "exchanges": []}"#, .damaged),
            (#"{"version": 1, "comparedHeaders": "A", "exchanges": []}"#, .damaged),
            (#"{"version": 1, "comparedHeaders": [], "exchanges": [1]}"#, .damaged),
            (#"{"version": 2, "changes": []}"#, .newerVersion),
        ] as [(String, RecordingError.Code)]
    )
    func `a damaged or newer recording is an error that names the file`(
        text: String,
        code: RecordingError.Code
    ) async throws {
        try await withRecording { recording in
            try await recording.record { _ in .json("1") }
            try Data(text.utf8).write(to: recording.file)

            let error = #expect(throws: RecordingError.self) { try recording.replay() }

            #expect(error?.code == code)
            #expect(error?.file == recording.file)
            #expect(error?.localizedDescription.contains("“shop.json”") == true)
        }
    }

    // Rule: recording/bad-file-is-an-error (19)
    @Test func `a recording in which any part is missing is an error or lacks an exchange`()
        async throws
    {
        try await withRecording { recording in
            recording.comparing = ["X-B"]
            try await recording.record(
                .to("goods", "PUT", body: "[1]", headers: ["X-B": "b"]),
                .to("goods", "PUT", body: "plain", type: "text/plain")
            ) { _ in
                NetworkResponse(headers: ["X-A": "1"], body: Data([0, 1, 2]))
            }
            let intact = Array(try Data(contentsOf: recording.file).dropLast())

            for count in intact.indices {
                try Data(intact.prefix(count)).write(to: recording.file)
                #expect(throws: RecordingError.self, "\(count)") { try recording.replay() }
            }
            for (text, other) in [
                ("\"AAEC\"", "\"AA\""), ("\"1\"", "1"), ("200", "99"), ("status", "state"),
                ("\"PUT\"", "1"), ("\"b\"", "1"), ("{\"X-B\": \"b\"}", "[]"), ("\"plain\"", "1"),
                ("[\"X-B\"]", "[1]"), ("\"url\"", "\"uri\""), ("response", "failure"),
            ] {
                let damaged = String(decoding: intact, as: UTF8.self).replacing(text, with: other)
                try Data(damaged.utf8).write(to: recording.file)
                #expect(throws: RecordingError.self, "\(text)") { try recording.replay() }
            }
        }
    }

    // Rule: recording/bad-file-is-an-error (19)
    @Test func `a missing recording and one that cannot be written are errors`() async throws {
        try await withRecording { recording in
            let missing = #expect(throws: RecordingError.self) { try recording.replay() }
            try await recording.record { _ in .json("1") }
            let unwritable = recording.file.appending(path: "inside-of-a-file.json")
            let notWritable = #expect(throws: RecordingError.self) {
                try RecordingBehavior(to: unwritable)
            }
            let behavior = try RecordingBehavior(to: recording.file)
            try FileManager.default.removeItem(at: recording.file)
            try FileManager.default.createDirectory(
                at: recording.file,
                withIntermediateDirectories: false
            )
            let late = await #expect(throws: RecordingError.self) {
                try await behavior.send(.to("goods")) { _ in .json("1") }
            }

            #expect(missing?.code == .missing)
            #expect(notWritable?.code == .notWritable)
            #expect(late?.code == .notWritable)
        }
    }
}
