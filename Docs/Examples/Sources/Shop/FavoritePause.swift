import EmbeddedStore

/// Holds the store's work on a favorite until the screen has been looked at.
struct FavoritePause {
    private let asked: AsyncStream<Void>
    private let ask: AsyncStream<Void>.Continuation
    private let ended: AsyncStream<Void>
    private let finish: AsyncStream<Void>.Continuation

    init() {
        (asked, ask) = AsyncStream.makeStream()
        (ended, finish) = AsyncStream.makeStream()
    }

    @Sendable func intercept(
        _ request: StoreRequest,
        _ handle: @Sendable () async -> StoreResponse
    ) async -> StoreResponse {
        if request.method == "PUT", request.path.contains("/favorites/") {
            ask.yield()
            for await _ in ended {}
        }
        return await handle()
    }

    /// Waits until the store has been asked and has done nothing yet.
    func untilAsked() async {
        for await _ in asked { return }
    }

    /// Lets the store go on, and releases whoever still waits for it to be asked.
    func end() {
        finish.finish()
        ask.finish()
    }
}
