import Foundation

/// Shares the state of products between screens, so that all screens of one product agree.
///
/// View models with the same store share the content, the favorite status, the list memberships and
/// the pending edits of each product. The rows of a catalog use the same state: an edit on a
/// product's screen also shows in its row.
///
/// When no screen shows a product any longer, its state is released.
@MainActor
public final class ProductStore {
    /// A page, and when its request started.
    struct TimestampedPage {
        let page: Page<Product>
        let timestamp: LogicalTimestamp
    }

    private struct WeakRecord {
        weak var record: ProductRecord?
    }

    /// Orders the loads of all catalogs.
    private(set) lazy var catalogLock = KeyedLock<CatalogLoads.Target>()
    /// The number of loads in flight that do not belong to a record: of pages, and of products to
    /// open.
    private(set) var loadsInFlight = 0

    private var records: [Product.ID: WeakRecord] = [:]
    /// Records that have changed while such loads are in flight.
    private var retainedRecords: [Product.ID: ProductRecord] = [:]
    /// The number of entries in `records` above which the entries of released records are removed.
    private var cleanupThreshold = 64
    private var lastTimestamp = LogicalTimestamp(counter: 1)
    /// A timestamp before all requests since the last reset, and after all earlier ones.
    private(set) var firstTimestamp = LogicalTimestamp(counter: 1)

    /// The current date, to record when the server confirmed a value.
    let now: @Sendable () -> Date
    /// The session of the outbox whose changes the screens show, if there is one.
    let outbox: Outbox.Session?
    private(set) lazy var listScreens = ListScreens()
    /// Whether the store observes the outbox, which it does from the first product or load on.
    var observesOutbox = false

    /// Creates an empty store, from any actor.
    ///
    /// - Parameters:
    ///   - outbox: The session of an outbox whose changes the screens show. The store observes it from the first
    ///     product or load on. An outbox reports its changes to one store only, the last one that has
    ///     begun to observe it. `nil`, the default, for a store without an outbox.
    ///   - effects: The date, to record when the server confirmed a value.
    public nonisolated init(outbox: Outbox.Session? = nil, effects: SystemEffects = SystemEffects())
    {
        self.outbox = outbox
        now = effects.now
    }

    /// Removes all state of the user, as signing out requires.
    ///
    /// Results of requests in flight are dropped. Their callers, and those of edits that wait for
    /// an earlier edit, get `CancellationError`. No further request is sent for them.
    public func reset() {
        firstTimestamp = timestamp()
        retainedRecords = [:]
        catalogLock.close()
        catalogLock = KeyedLock()
        listScreens.reset()
        for weak in records.values { weak.record?.reset() }
    }

    /// Returns the record that all view models of a product share.
    ///
    /// An existing record uses the product given, which may be older, only where nothing is known
    /// yet: for members that it does not contain, or if the store was reset since it last changed.
    func record(of product: Product, from source: FetchSource = .network) -> ProductRecord {
        if let record = existingRecord(of: product.id) {
            record.adopt(product, from: source)
            return record
        }
        let record = insert(ProductRecord(product, from: source, store: self))
        record.showSavedValue(of: .favorite)
        return record
    }

    /// Applies pages, and returns the records of their products.
    ///
    /// The pages are in the order of their requests. If a product occurs twice, its last value is the
    /// newest. It is applied first, and so the earlier one is superseded.
    func apply(_ pages: [TimestampedPage]) -> [Product.ID: ProductRecord] {
        var applied: [Product.ID: ProductRecord] = [:]
        for item in pages.reversed() {
            let source = item.page.source
            for product in item.page.items.reversed() {
                applied[product.id] = apply(
                    product,
                    from: source,
                    requestedAt: item.timestamp,
                    isComplete: product.unknownMembers.isEmpty
                )
            }
        }
        let savedEdits = outbox?.lastEdits()
        for record in applied.values { record.showSavedValue(of: .favorite, from: savedEdits) }
        return applied
    }

    /// Applies a product, and returns its record; the caller makes it display the changes that wait in the outbox.
    ///
    /// A product that does not come from the server is only used where nothing is known yet.
    private func apply(
        _ product: Product,
        from source: FetchSource,
        requestedAt timestamp: LogicalTimestamp,
        isComplete: Bool
    ) -> ProductRecord {
        let existing = existingRecord(of: product.id)
        guard source.isFromServer else {
            existing?.adopt(product, from: source)
            return existing ?? insert(ProductRecord(product, from: source, store: self))
        }
        let record = existing ?? insert(ProductRecord(product, store: self))
        record.apply(
            product,
            containing: product.knownMembers,
            requestedAt: timestamp,
            isComplete: isComplete
        )
        return record
    }

    /// Loads a product that is to be opened, with ``ProductLoader/fetchProduct(withID:policy:)``, and returns
    /// its record.
    ///
    /// Other screens of the product show the result: the product, or that it does not exist.
    ///
    /// - Throws: The error of `fetch`; `CancellationError` when the task was cancelled or the store
    ///   was reset; ``ProductError`` for another product, or if a later request has found that the
    ///   product does not exist.
    func load(
        _ id: Product.ID,
        fetch: () async throws -> Fetched<Product>
    ) async throws -> ProductRecord {
        let timestamp = timestamp()
        beginLoad()
        defer { endLoad() }
        do {
            let fetched = try await fetch()
            guard isCurrent(timestamp) else { throw CancellationError() }
            guard fetched.value.id == id else {
                throw ProductError.wrongProduct(expected: id, received: fetched.value.id)
            }
            let record = apply(
                fetched.value,
                from: fetched.source,
                requestedAt: timestamp,
                isComplete: fetched.value.isComplete
            )
            record.showSavedValue(of: .favorite)
            if record.hasNewerContent(than: timestamp) { try record.checkExistence() }
            return record
        } catch {
            guard isCurrent(timestamp) else { throw CancellationError() }
            throw records[id]?.record?.apply(error, requestedAt: timestamp)
                ?? ViewModelFailure.cause(error)
        }
    }

    /// Begins a load of a page, or of a product to open, which ``endLoad()`` ends.
    func beginLoad() {
        observeOutbox()
        loadsInFlight += 1
    }

    /// Ends a load; after the last one, no record is retained.
    func endLoad() {
        loadsInFlight -= 1
        if loadsInFlight == 0 { retainedRecords = [:] }
    }

    /// Retains a record that has changed until no such load is in flight.
    ///
    /// Otherwise a page that was requested before the change could bring back the old value.
    func retainDuringLoads(_ record: ProductRecord) {
        if loadsInFlight > 0 { retainedRecords[record.id] = record }
    }

    /// Returns a new timestamp, later than all before.
    func timestamp() -> LogicalTimestamp {
        lastTimestamp = LogicalTimestamp(counter: lastTimestamp.counter + 1)
        return lastTimestamp
    }

    /// Whether the store has not been reset since a timestamp was taken.
    func isCurrent(_ timestamp: LogicalTimestamp) -> Bool {
        timestamp >= firstTimestamp
    }

    /// The record of a product, if some screen shows the product or a load retains the record.
    func existingRecord(of product: Product.ID) -> ProductRecord? { records[product]?.record }

    var existingRecords: some Sequence<ProductRecord> { records.values.lazy.compactMap(\.record) }

    /// Adds a record; the caller makes it display the changes that wait in the outbox.
    func insert(_ record: ProductRecord) -> ProductRecord {
        observeOutbox()
        records[record.id] = WeakRecord(record: record)
        if records.count > cleanupThreshold {
            records = records.filter { $0.value.record != nil }
            cleanupThreshold = max(64, records.count * 2)
        }
        return record
    }
}
