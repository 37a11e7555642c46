import Foundation
import ProductKit
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
final class BackgroundTaskBehaviorTests: Sendable {
    private let calls = Lines()
    private let expiry = Mutex<(@Sendable () -> Void)?>(nil)

    /// A behavior that records its calls, and stores the closure that the system calls at an expiry.
    private var behavior: BackgroundTaskBehavior {
        BackgroundTaskBehavior(
            begin: { [self] expire in
                expiry.withLock { $0 = expire }
                calls.add("begin")
                return 7
            },
            end: { [calls] (identifier: Int) in calls.add("end \(identifier)") }
        )
    }

    @Test func `the background task lasts as long as the request`() async throws {
        let response = try await behavior.send { [calls] _ in
            calls.add("exchange")
            return NetworkResponse(statusCode: 204)
        }

        #expect(response == NetworkResponse(statusCode: 204))
        #expect(calls.all == ["begin", "exchange", "end 7"])
    }

    @Test func `a failed request ends its background task`() async throws {
        await #expect(throws: UnsupportedOperation("exchange")) {
            try await behavior.send { _ in throw UnsupportedOperation("exchange") }
        }

        #expect(calls.all == ["begin", "end 7"])
    }

    @Test func `an expiry ends the background task and not the request`() async throws {
        let response = try await behavior.send { [self] _ in
            expire()
            calls.add("exchange")
            return NetworkResponse(statusCode: 204)
        }
        // A second expiry, after the end, has no effect.
        expire()

        #expect(response == NetworkResponse(statusCode: 204))
        #expect(calls.all == ["begin", "end 7", "exchange"])
    }

    @Test func `an expiry before begin returns ends the task when it returns`() async throws {
        let behavior = BackgroundTaskBehavior(
            begin: { [calls] expire in
                expire()
                calls.add("began")
            },
            end: { [calls] in calls.add("end") }
        )

        _ = try await behavior.send { [calls] _ in
            calls.add("exchange")
            return NetworkResponse()
        }

        #expect(calls.all == ["began", "end", "exchange"])
    }

    @Test func `an expiry that races with the response ends the task once`() async throws {
        for number in 1...200 {
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let task = Task { [behavior] in
                try await behavior.send { _ in
                    begin.yield()
                    return NetworkResponse()
                }
            }
            _ = await begun.first { _ in true }
            expire()
            _ = try await task.value

            #expect(calls.all.count { $0 == "end 7" } == number)
        }
    }

    @Test func `each request has its own background task`() async throws {
        let identifiers = Mutex(["b", "a"])
        let behavior = BackgroundTaskBehavior(
            begin: { _ in identifiers.withLock { $0.removeLast() } },
            end: { [calls] (identifier: String) in calls.add(identifier) }
        )

        _ = try await behavior.send { _ in
            try await behavior.send { _ in NetworkResponse() }
        }

        #expect(calls.all == ["b", "a"])
    }

    private func expire() {
        let expire = expiry.withLock { $0 }
        expire?()
    }
}
