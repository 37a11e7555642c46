import EmbeddedStore
import Foundation
import ProductKit
import Synchronization

/// Toggles favorites during outages and restarts, and compares the screens, the saved changes and the
/// store.
@MainActor
final class OfflineRace {
    private let store: EmbeddedStore
    private let baseURL: URL
    private let connection: StoreConnection
    private let directory: URL
    private let products = ["walking-boots", "enamel-mug", "family-tent"]
        .map { Product(id: .init($0), name: $0) }

    private var transport = UnattendedTransport()
    private var service: ProductService
    private var screens: [ProductViewModel] = []
    /// The last tap of each product.
    private var expected: [Product.ID: Bool] = [:]
    private(set) var tapCount = 0
    private(set) var outageCount = 0
    private(set) var restartCount = 0

    /// Creates a race.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - baseURL: The base URL of the store.
    ///   - connection: The connection to the store.
    ///   - directory: The directory for the saved changes.
    init(
        _ store: EmbeddedStore,
        at baseURL: URL,
        over connection: StoreConnection,
        in directory: URL
    ) {
        self.store = store
        self.baseURL = baseURL
        self.connection = connection
        self.directory = directory
        service = Self.service(at: baseURL, in: directory, transport)
        screens = products.map { service.viewModel(for: $0) }
    }

    /// Performs random steps, then repairs the connection, sends everything and compares.
    ///
    /// - Parameter number: The number of the round, for the error.
    /// - Throws: ``StateMismatchError``, or an error of the storage.
    func run(round number: Int) async throws {
        for _ in 1...Int.random(in: 2...12) {
            switch Int.random(in: 0..<10) {
            case 0..<5: try await tap()
            case 5..<7: changeConnection()
            case 7: try await restart()
            case 8: _ = try? await screens.randomElement()?.reload()
            default: try? await Task.sleep(for: .microseconds(.random(in: 0...3_000)))
            }
            try compareScreens("on the screen in round \(number)")
        }
        connection.state = .intact
        try await sendAll()
        // The new service reads the saved changes from the directory.
        try await restart()
        try expect("the saved changes after round \(number)", savedChanges.isEmpty)
        for screen in screens { try await screen.reload() }
        try compareScreens("on the screen after round \(number)")
        for (id, isFavorite) in expected {
            try expect(
                "the favorite status of \(id) in the store after round \(number)",
                store.isFavorite(id.rawValue) == isFavorite
            )
        }
    }

    private var savedChanges: [Outbox.Change] { service.outbox?.changes ?? [] }

    /// Taps a screen once or several times, without waiting in between.
    private func tap() async throws {
        guard let screen = screens.randomElement() else { return }
        let count = [1, 1, 1, 2, 3].randomElement() ?? 1
        let isFavorite = screen.isFavorite != (count % 2 == 1)
        let taps = (1...count).map { _ in
            Task { try await screen.toggleProductFavoriteStatus() }
        }
        // When a tap returns, it is saved. So all of them must succeed, also during an outage.
        for tap in taps { try await tap.value }
        expected[screen.product.id] = isFavorite
        tapCount += count
    }

    private func changeConnection() {
        connection.state = StoreConnection.State.allCases.randomElement() ?? .intact
        if connection.state != .intact { outageCount += 1 }
    }

    /// Replaces the service by a new one over the same directory, as a restart of an app does.
    ///
    /// Requests in flight end without an observer, and the store may have carried them out.
    private func restart() async throws {
        await service.outbox?.stop()
        await transport.end()
        transport = UnattendedTransport()
        service = Self.service(at: baseURL, in: directory, transport)
        try await service.outbox?.open()
        screens = products.map { service.viewModel(for: $0) }
        restartCount += 1
        // An earlier change may wait in front of the last one, because it was in flight.
        var saved: [Product.ID: Bool] = [:]
        for change in savedChanges {
            if case .setFavorite(let id, let isFavorite) = change.edit { saved[id] = isFavorite }
        }
        for (id, isFavorite) in saved {
            try expect("the saved change of \(id)", expected[id] == isFavorite)
        }
    }

    /// Compares the screens whose changes are not sent yet with the last taps, and loaded ones, too.
    private func compareScreens(_ place: String) throws {
        for screen in screens where screen.isFavoriteUnsent || screen.phase == .loaded {
            guard let isFavorite = expected[screen.product.id] else { continue }
            try expect(
                "the favorite status of \(screen.product.id) \(place)",
                screen.isFavorite == isFavorite
            )
        }
    }

    /// Sends until nothing waits, at most 100 times.
    private func sendAll() async throws {
        for _ in 1...100 where try await service.outbox?.sendAll() == 0 { return }
        throw RaceMismatchError(property: "the number of unsent changes: 100 attempts failed")
    }

    private func expect(_ property: String, _ isEqual: Bool) throws {
        guard isEqual else { throw RaceMismatchError(property: property) }
    }

    private static func service(
        at baseURL: URL,
        in directory: URL,
        _ transport: UnattendedTransport
    ) -> ProductService {
        // Without retries, every failure reaches the outbox.
        let backend = ProductBackend(
            baseURL: baseURL,
            networking: transport,
            retry: RetryBehavior(attempts: 1)
        )
        return ProductService(
            backend: backend,
            localUser: LocalUser(currency: "EUR"),
            user: .demo,
            outbox: Outbox(directory: directory)
        )
    }
}

/// The transport of one run of an app, whose requests continue when their tasks are cancelled.
///
/// A request of an app that has ended may arrive, too. But an app that has ended begins none.
private final class UnattendedTransport: Networking {
    private struct Requests {
        var exchanges: [Task<NetworkResponse, any Error>] = []
        var hasEnded = false
    }

    private let requests = Mutex(Requests())

    func response(for request: URLRequest) async throws -> NetworkResponse {
        guard let exchange = begin(request) else { throw CancellationError() }
        return try await exchange.value
    }

    /// Begins no further request, and waits until none is in flight.
    func end() async {
        for exchange in endRequests() { _ = await exchange.result }
    }

    @inline(never)
    private func begin(_ request: URLRequest) -> Task<NetworkResponse, any Error>? {
        requests.withLock { requests in
            guard !requests.hasEnded else { return nil }
            let exchange = Task { try await SystemTransport.system.response(for: request) }
            requests.exchanges.append(exchange)
            return exchange
        }
    }

    @inline(never) private func endRequests() -> [Task<NetworkResponse, any Error>] {
        requests.withLock { requests in
            requests.hasEnded = true
            return requests.exchanges
        }
    }
}

/// An error for screens, saved changes and a store that do not agree.
private struct RaceMismatchError: LocalizedError {
    let property: String

    var errorDescription: String? {
        "The screen, the disk and the store do not agree on \(property)."
    }
}
