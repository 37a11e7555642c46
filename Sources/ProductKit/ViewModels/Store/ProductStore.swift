public import Foundation

/// Lets all screens of one product show the same, and orders everything they ask.
///
/// View models made with the same store share what they know of a product: its content, its
/// favorite status, the edits on their way. A list's rows are views of the same knowledge, so a tap
/// on a product's screen shows in its row. The store keeps no product alive; what no screen shows
/// any longer is forgotten.
@MainActor
public final class ProductStore {
    /// A question and the moment in which it was asked.
    struct Question: Comparable, Hashable {
        let tick: Int
        fileprivate let session: Int

        static func < (one: Question, other: Question) -> Bool { one.tick < other.tick }
    }

    /// A page, and the question that it answers.
    struct Answer {
        let page: Page<Product>
        let question: Question
    }

    private struct WeakRecord {
        weak let record: ProductRecord?
    }

    /// The lines of those who read lists, one for everything that began a list.
    private(set) lazy var turns = Turns<Question>()
    /// How many reads of pages are on their way, which may bring what is older than a change.
    var pagesOnTheirWay = 0 {
        didSet { if pagesOnTheirWay == 0 { changedRecords = [:] } }
    }

    private var records: [Product.ID: WeakRecord] = [:]
    private var changedRecords: [Product.ID: ProductRecord] = [:]
    private var sweepingSize = 64
    private var lastTick = 0
    /// How often everything was forgotten; what was asked before does not count afterwards.
    private(set) var resets = 0

    /// The time of day, to tell when something was confirmed.
    let now: @Sendable () -> Date

    /// Creates an empty store, from any actor.
    ///
    /// - Parameter now: The time of day, to tell when the server vouched for what is shown.
    public nonisolated init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }

    /// Forgets everything, as signing out must.
    ///
    /// Answers that are still on their way are dropped. Their callers and all who wait in line get
    /// `CancellationError`, and no further request is made for them.
    public func reset() {
        resets += 1
        changedRecords = [:]
        turns.dissolve()
        turns = Turns()
        for weak in records.values { weak.record?.startOver() }
    }

    /// The record that all view models of this product share.
    ///
    /// A record that is there wins over the value brought, which may be older.
    func record(of product: Product, from source: FetchSource = .network) -> ProductRecord {
        if let record = records[product.id]?.record {
            record.seed(product, from: source)
            return record
        }
        return insert(ProductRecord(product, from: source, store: self))
    }

    /// Learns from pages in the order of asking, and returns the records of their products.
    ///
    /// It goes backwards: of a product that stands there twice the newest value comes first, and the
    /// older one changes nothing.
    func learn(_ answers: [Answer]) -> [Product.ID: ProductRecord] {
        var learned: [Product.ID: ProductRecord] = [:]
        for answer in answers.reversed() {
            for product in answer.page.items.reversed() {
                let source = answer.page.source
                learned[product.id] = learn(product, from: source, answering: answer.question)
            }
        }
        return learned
    }

    /// Learns a product that was asked for, and returns its record.
    ///
    /// One that no server has confirmed only seeds: what is known already wins.
    func learn(
        _ product: Product,
        from source: FetchSource,
        answering question: Question
    ) -> ProductRecord {
        guard source.isFromServer else { return record(of: product, from: source) }
        if let record = records[product.id]?.record {
            record.learn(fromPage: product, from: question)
            return record
        }
        let record = insert(ProductRecord(product, store: self, answering: question))
        // For the other pages only; this one has arrived.
        if pagesOnTheirWay > 1 { keep(record) }
        return record
    }

    /// Keeps a record that has changed while a page asked for before is still on its way.
    ///
    /// Without it the page would bring back the old value, if nobody else kept the record.
    func keep(_ record: ProductRecord) {
        if pagesOnTheirWay > 0 { changedRecords[record.id] = record }
    }

    /// Takes the moment for a question that is about to be asked.
    func ask() -> Question {
        Question(tick: tick(), session: resets)
    }

    /// Whether nobody has signed out since the question was asked.
    func isCurrent(_ question: Question) -> Bool {
        question.session == resets
    }

    /// The next moment of the one clock that tells what was asked after what.
    func tick() -> Int {
        lastTick += 1
        return lastTick
    }

    private func insert(_ record: ProductRecord) -> ProductRecord {
        records[record.id] = WeakRecord(record: record)
        if records.count > sweepingSize {
            records = records.filter { $0.value.record != nil }
            sweepingSize = max(64, records.count * 2)
        }
        return record
    }
}
