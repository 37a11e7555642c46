import Synchronization

/// The connection between a store and its clients, which a test can interrupt.
///
///     let connection = StoreConnection()
///     try await withEmbeddedStore(intercept: connection.intercept) { store, baseURL in
///         connection.state = .losesResponses
///         …
///     }
public final class StoreConnection: Sendable {
    /// The condition of the connection.
    public enum State: Sendable, Hashable, CaseIterable {
        /// The store receives requests, and the clients receive the responses.
        case intact
        /// The store receives no request.
        case isDown
        /// The store carries out requests, and the clients receive no response.
        case losesResponses
    }

    private struct Traffic {
        var state = State.intact
        var droppedRequestCount = 0
        var lostResponseCount = 0
    }

    private let traffic = Mutex(Traffic())

    /// Creates an intact connection.
    public init() {}

    /// The condition of the connection, which applies to requests that arrive from now on.
    public var state: State {
        get { traffic.withLock(\.state) }
        set { traffic.withLock { $0.state = newValue } }
    }

    /// The number of requests that the store has not received.
    public var droppedRequestCount: Int { traffic.withLock(\.droppedRequestCount) }

    /// The number of requests that the store has carried out without a response.
    public var lostResponseCount: Int { traffic.withLock(\.lostResponseCount) }

    /// Intercepts a request, as ``EmbeddedStore/Interceptor`` requires.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - handle: Lets the store handle the request.
    /// - Returns: The response of the store, or none.
    @Sendable public func intercept(
        _ request: StoreRequest,
        _ handle: @Sendable () async -> StoreResponse
    ) async -> StoreResponse {
        switch state {
        case .intact: return await handle()
        case .isDown: traffic.withLock { $0.droppedRequestCount += 1 }
        case .losesResponses:
            _ = await handle()
            traffic.withLock { $0.lostResponseCount += 1 }
        }
        return .connectionClosed
    }
}
