import Foundation
import ProductKit

/// The time between two restarts of an ``OutageRace``: an outbox, a store and its screens.
@MainActor final class OutageSession {
    /// A screen, for the favorite status or for the membership in a list.
    struct Screen {
        let value: @MainActor () -> Bool
        let isUnsent: () -> Bool
        let toggle: () async throws -> Void
        let reload: () async throws -> Void
    }

    /// The session of the outbox, which starts at the first access.
    private(set) lazy var outbox = start()
    private(set) var screens: [Screen] = []

    private let configuration: OutageRace.Configuration
    private let storage: OutboxStorage
    private lazy var store = ProductStore(outbox: outbox)
    private weak var race: OutageRace?
    private let attempted = Observed<Set<Outbox.Change.ID>>(wrappedValue: [])
    private let sent = Observed<Set<Outbox.Change.ID>>(wrappedValue: [])
    private let ended = Counter()
    private var watchers: [Watcher] = []
    private var notificationsBefore: [Int] = []

    init(_ configuration: OutageRace.Configuration, storage: OutboxStorage) {
        self.configuration = configuration
        self.storage = storage
    }

    /// The number of events, and of operations of the storage.
    let progress = Counter()

    /// The number of attempts that have ended.
    var outcomes: Int { ended.count }

    /// The value that each screen shows.
    var values: [Bool] { screens.map { $0.value() } }

    /// How often the observers of each value were notified since ``resetNotifications()``.
    var notifications: [Int] { zip(watchers, notificationsBefore).map { $0.changes - $1 } }

    func resetNotifications() {
        notificationsBefore = watchers.map(\.changes)
    }

    /// Whether the file contains that the changes were sent, which is written later.
    var hasWrittenOutcomes: Bool {
        guard let bytes = try? storage.load() else { return true }
        let text = String(decoding: bytes, as: UTF8.self)
        return sent.wrappedValue.allSatisfy { id in
            !text.contains(id.rawValue) || text.contains(#"{"id":"\#(id)","record":"removed"}"#)
        }
    }

    /// Returns a storage with the bytes that survive the end of the process.
    func copyOfStorage() -> OutboxStorage {
        let copy = OutboxStorage.inMemory()
        if let bytes = try? storage.load(), !bytes.isEmpty { try? copy.append(bytes) }
        return copy
    }

    /// Starts the outbox, whose requests a race suspends, and opens the screens.
    func open(for race: OutageRace) {
        self.race = race
        _ = outbox
        for _ in 0..<configuration.screens {
            screens.append(
                configuration.editsMembership ? listScreen(of: race) : productScreen(of: race)
            )
        }
        watchers = screens.map { Watcher($0.value) }
        resetNotifications()
    }

    private func start() -> Outbox.Session {
        let outbox = Outbox(
            storage: { [storage, progress] _ in
                storage.observed(after: { _ in progress.next() })
            },
            effects: ManualClock().effects(random: { $0.upperBound }),
            report: { [attempted, ended, progress, sent] event in
                if case .sent(let change) = event { sent.change { _ = $0.insert(change.id) } }
                switch event {
                case .sent(let change), .rejected(let change, _), .postponed(let change, _):
                    // An equal change leaves with another one without an attempt of its own.
                    if attempted.wrappedValue.contains(change.id) { ended.next() }
                default: break
                }
                progress.next()
            }
        )
        return outbox.start { [weak self, weak race, configuration, attempted] change in
            attempted.change { _ = $0.insert(change.id) }
            guard let self, let race else { throw CancellationError() }
            let value = try await race.suspend(change, of: self)
            guard configuration.returnsProduct, !configuration.editsMembership else {
                return Outbox.Confirmation()
            }
            return Outbox.Confirmation(product: .boots.with { $0.isFavorite = value })
        }
    }

    private func productScreen(of race: OutageRace) -> Screen {
        var actions = ProductViewModel.Actions(
            productID: Product.boots.id,
            loader: ProductLoader(load: { _ in .boots }).saving(in: outbox),
            listManager: ListManager(addProduct: { _, _ in }).saving(in: outbox)
        )
        actions.reload = { [unowned self, unowned race] in
            let value = try await race.suspend(nil, of: self)
            return .boots.with { $0.isFavorite = value }
        }
        let viewModel = ProductViewModel(actions, store: store)
        return Screen(
            value: { viewModel.isFavorite },
            isUnsent: { viewModel.isFavoriteUnsent },
            toggle: { try await viewModel.toggleProductFavoriteStatus() },
            reload: { try await viewModel.reload() }
        )
    }

    private func listScreen(of race: OutageRace) -> Screen {
        var actions = ListMembershipViewModel.Actions(
            productID: Product.boots.id,
            listManager: ListManager(addProduct: { _, _ in }).saving(in: outbox)
        )
        actions.loadLists = { [unowned self, unowned race] in
            Page([.wishlist(holdingBoots: try await race.suspend(nil, of: self))])
        }
        let viewModel = ListMembershipViewModel(actions, lists: [.wishlist], store: store)
        return Screen(
            value: { viewModel.rows.first?.holdsProduct ?? false },
            isUnsent: { viewModel.rows.first?.isUnsent ?? false },
            toggle: { try await viewModel.toggleMembership(inListWithID: "wishlist") },
            reload: { try await viewModel.reload() }
        )
    }
}
