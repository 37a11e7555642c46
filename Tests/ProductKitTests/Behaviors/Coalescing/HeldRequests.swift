import ProductKit

/// Requests that share a gate: each one that is sent waits until the test opens it.
struct HeldRequests: Sendable {
    /// Counts the requests that were sent.
    let sends = Counter()
    let gate = ActionGate<Void>()
    private let executor = SerialTaskExecutor()

    /// Starts requests and returns when their callers wait; the first status code is 201.
    func start(
        _ requests: [OutgoingRequest] = [OutgoingRequest("GET")],
        through behavior: any RequestBehavior = CoalescingBehavior { "" },
        respond: @escaping @Sendable (Int) throws -> NetworkResponse = {
            NetworkResponse(statusCode: 200 + $0)
        }
    ) async -> [Task<NetworkResponse, any Error>] {
        let tasks = requests.map { request in
            Task(executorPreference: executor) { [sends, gate] in
                try await behavior.send(request) { _ in
                    let number = sends.next()
                    try await gate.hold()
                    return try respond(number)
                }
            }
        }
        await executor.waitUntilIdle()
        return tasks
    }
}
