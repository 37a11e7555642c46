import EmbeddedStore

/// A gate that holds back favorite requests, before the store handles them, until it is opened.
struct FavoriteGate {
    private let requests: AsyncStream<Void>
    private let requestArrival: AsyncStream<Void>.Continuation
    private let opened: AsyncStream<Void>
    private let opening: AsyncStream<Void>.Continuation

    init() {
        (requests, requestArrival) = AsyncStream.makeStream()
        (opened, opening) = AsyncStream.makeStream()
    }

    @Sendable func intercept(
        _ request: StoreRequest,
        _ handle: @Sendable () async -> StoreResponse
    ) async -> StoreResponse {
        if request.method == "PUT", request.path.contains("/favorites/") {
            requestArrival.yield()
            for await _ in opened {}
        }
        return await handle()
    }

    /// Waits until a request has arrived at the gate, or until the gate is opened.
    func waitForRequest() async {
        for await _ in requests { return }
    }

    /// Lets all requests pass and ends ``waitForRequest()``.
    func open() {
        opening.finish()
        requestArrival.finish()
    }
}
