/// Lets all screens of one product show the same, and orders everything they ask.
///
/// View models made with the same store share what they know of a product: its content, its
/// favourite status, the edits on their way. The store keeps no product alive; what no screen shows
/// any longer is forgotten.
@MainActor
public final class ProductStore {
    private struct WeakRecord {
        weak let record: ProductRecord?
    }

    private var records: [Product.ID: WeakRecord] = [:]
    private var sweepingSize = 64
    private var lastTick = 0
    /// How often everything was forgotten; what was asked before does not count afterwards.
    private(set) var resets = 0

    /// Creates an empty store, from any actor.
    public nonisolated init() {}

    /// Forgets everything, as signing out must.
    ///
    /// Answers that are still on their way are dropped. Their callers and all who wait in line get
    /// `CancellationError`, and no further request is made for them.
    public func reset() {
        resets += 1
        for weak in records.values { weak.record?.startOver() }
    }

    /// The record that all view models of this product share.
    ///
    /// A record that is there wins over the value brought, which may be older.
    func record(of product: Product) -> ProductRecord {
        if let record = records[product.id]?.record {
            record.seed(product)
            return record
        }
        let record = ProductRecord(product, store: self)
        records[product.id] = WeakRecord(record: record)
        if records.count > sweepingSize {
            records = records.filter { $0.value.record != nil }
            sweepingSize = max(64, records.count * 2)
        }
        return record
    }

    /// The next moment of the one clock that tells what was asked after what.
    func tick() -> Int {
        lastTick += 1
        return lastTick
    }
}
