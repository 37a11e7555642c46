import Observation

/// What is known of one product, shared by all of its screens.
///
/// **Ask order.** Every question takes a tick of the store's clock when it is asked. An answer
/// changes only what no later question has answered; content and favourite status are stamped
/// separately. A page is the answer to one question about many products.
///
/// **The shown favourite status is the last waiting tap, else the server's.** Rolling back is
/// removing a tap; no snapshot is ever restored.
@MainActor @Observable
final class ProductRecord {
    typealias Question = ProductStore.Question

    /// A wish of the user that the server has not confirmed yet.
    struct Tap: Equatable {
        let wish: Bool
        fileprivate let number: Int
    }

    enum Line: Hashable {
        case favorite
        case list(ProductList.ID)
    }

    let id: Product.ID
    /// The newest content that the server told; its favourite status means nothing.
    private(set) var content: Product
    /// The favourite status to show.
    private(set) var isFavorite: Bool
    /// Whether the newest answer was that there is no such product.
    private(set) var isDeleted = false
    /// One line for the favourite status and one for each list.
    @ObservationIgnored private(set) lazy var turns = Turns<Line>()

    @ObservationIgnored private let store: ProductStore
    @ObservationIgnored private var taps: [Tap] = []
    @ObservationIgnored private var serverFavorite: Bool
    @ObservationIgnored private var contentTick = 0 { didSet { store.keep(self) } }
    @ObservationIgnored private var favoriteTick = 0 { didSet { store.keep(self) } }
    @ObservationIgnored private var listTicks: [ProductList.ID: Int] = [:]
    @ObservationIgnored private var isForgotten = false

    /// Creates a record of what a screen brought, or of what answered a question.
    init(_ product: Product, store: ProductStore, from question: Question? = nil) {
        id = product.id
        content = product.withoutFavoriteStatus
        isFavorite = product.isFavorite
        serverFavorite = product.isFavorite
        contentTick = question?.tick ?? 0
        favoriteTick = question?.tick ?? 0
        self.store = store
    }

    /// Takes the moment for a question that is about to be asked.
    func ask() -> Question {
        store.ask()
    }

    /// Whether a later question than this one has been answered.
    func hasAnswered(after question: Question) -> Bool {
        contentTick > question.tick
    }

    func checkExistence() throws {
        if isDeleted { throw ProductError.notFound(id) }
    }

    /// Learns what a reload brought.
    ///
    /// - Returns: Whether it was news: no later question has been answered.
    func learn(_ product: Product, from question: Question) throws -> Bool {
        try check(product, from: question)
        return learnAll(product, from: question)
    }

    /// Learns what a page brought, as far as no later question has been answered.
    func learn(fromPage product: Product, from question: Question) {
        learnAll(product, from: question)
    }

    /// Learns from the error that an action threw; "not found" is an answer like any other.
    ///
    /// - Returns: What the error means: `CancellationError` when the user has signed out meanwhile.
    func learn(_ error: any Error, from question: Question) -> any Error {
        guard store.isCurrent(question) else { return CancellationError() }
        if case ProductError.notFound(id) = error, question.tick > contentTick {
            contentTick = question.tick
            isForgotten = false
            isDeleted = true
        }
        return error
    }
}

// The favourite status.
extension ProductRecord {
    /// Shows the opposite of what is shown, until the tap is settled or withdrawn.
    func tap() -> Tap {
        let tap = Tap(wish: !isFavorite, number: store.tick())
        taps.append(tap)
        show()
        return tap
    }

    /// Whether the server must be asked for a tap whose turn it is.
    ///
    /// It need not when the server has it so by now, or when the last tap wants something else: then
    /// that one will ask.
    func isNeeded(_ tap: Tap) -> Bool {
        tap.wish != serverFavorite && tap.wish == taps.last?.wish
    }

    /// Learns what the server answered to a tap; its word is final.
    func settle(_ tap: Tap, with product: Product, from question: Question) throws {
        try check(product, from: question)
        // Nothing asked before now can know better than this answer.
        favoriteTick = store.tick()
        serverFavorite = product.isFavorite
        withdraw(tap)
        learnContent(product, from: question)
    }

    /// Removes a tap, which rolls back what it showed unless a later one shows the same.
    func withdraw(_ tap: Tap) {
        taps.removeAll { $0 == tap }
        show()
    }
}

// Lists.
extension ProductRecord {
    /// Whether the product was put in the list since the question was asked.
    func wasAdded(to list: ProductList.ID, after question: Question) -> Bool {
        listTicks[list, default: 0] > question.tick
    }

    func learnAddition(to list: ProductList.ID, from question: Question) throws {
        try checkSession(of: question)
        listTicks[list] = store.tick()
    }
}

// Signing out.
extension ProductRecord {
    /// Drops every edit and every answer on its way, and believes the next value it is given.
    func startOver() {
        turns.dissolve()
        turns = Turns()
        taps = []
        listTicks = [:]
        isForgotten = true
        if isDeleted { isDeleted = false }
        show()
    }

    /// Takes over a new view model's value, if there is none that counts.
    func seed(_ product: Product) {
        guard isForgotten else { return }
        isForgotten = false
        serverFavorite = product.isFavorite
        setContent(product)
        show()
    }
}

extension ProductRecord {
    private func check(_ product: Product, from question: Question) throws {
        try checkSession(of: question)
        guard product.id == id else {
            throw ProductError.wrongProduct(expected: id, received: product.id)
        }
        // “Not found” is an answer, which an older success does not undo.
        if hasAnswered(after: question) { try checkExistence() }
    }

    /// Throws `CancellationError` when the user has signed out since the question was asked.
    private func checkSession(of question: Question) throws {
        guard store.isCurrent(question) else { throw CancellationError() }
    }

    @discardableResult private func learnAll(_ product: Product, from question: Question) -> Bool {
        if question.tick > favoriteTick {
            favoriteTick = question.tick
            serverFavorite = product.isFavorite
            show()
        }
        return learnContent(product, from: question)
    }

    @discardableResult private func learnContent(
        _ product: Product,
        from question: Question
    ) -> Bool {
        guard question.tick > contentTick else { return false }
        contentTick = question.tick
        isForgotten = false
        if isDeleted { isDeleted = false }
        setContent(product)
        return true
    }

    private func setContent(_ product: Product) {
        let product = product.withoutFavoriteStatus
        if product != content { content = product }
    }

    private func show() {
        let shown = taps.last?.wish ?? serverFavorite
        if shown != isFavorite { isFavorite = shown }
    }
}

extension Product {
    fileprivate var withoutFavoriteStatus: Product {
        var product = self
        product.isFavorite = false
        return product
    }
}
