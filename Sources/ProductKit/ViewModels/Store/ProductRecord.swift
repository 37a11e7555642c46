import Foundation
import Observation

/// What is known of one product, shared by all of its screens.
///
/// **Ask order.** Every question takes a tick of the store's clock when it is asked. An answer
/// changes only what no later question has answered; content and favorite status are stamped
/// separately. A page is the answer to one question about many products.
///
/// **What the user may change is a `Flag`,** the favorite status and the place in each list: shown is
/// the last waiting tap, else what the server has.
@MainActor @Observable
final class ProductRecord {
    typealias Question = ProductStore.Question

    /// What the user taps on: the star, or the product's place in a list.
    enum Target: Hashable {
        case favorite
        case list(ProductList.ID)
    }

    let id: Product.ID
    /// The newest content that the server told; its favorite status means nothing.
    private(set) var content: Product
    /// The favorite status to show.
    private(set) var isFavorite: Bool
    /// Whether the newest answer was that there is no such product.
    private(set) var isDeleted = false
    /// Where the content came from.
    private(set) var source: FetchSource
    /// How often the user has signed out while it was shown.
    private(set) var resets = 0
    /// One line for the favorite status and one for each list.
    @ObservationIgnored private(set) lazy var turns = Turns<Target>()

    let store: ProductStore
    @ObservationIgnored private var favorite: Flag
    @ObservationIgnored private var contentTick = 0
    @ObservationIgnored private var memberships: [ProductList.ID: ListMembership] = [:]
    @ObservationIgnored private var isForgotten = false
    @ObservationIgnored private var confirmedAt: Date?
    @ObservationIgnored private var isConfirmed: Bool

    /// Creates a record of what a screen brought, or of what answered a question.
    init(
        _ product: Product,
        from source: FetchSource = .network,
        store: ProductStore,
        answering question: Question? = nil
    ) {
        id = product.id
        content = product.withoutFavoriteStatus
        isFavorite = product.isFavorite
        favorite = Flag(product.isFavorite, askedAt: question?.tick ?? 0)
        contentTick = question?.tick ?? 0
        self.source = source
        isConfirmed = source.isFromServer
        self.store = store
        if question != nil { confirmedAt = store.now() }
    }

    /// The product as it is shown.
    var product: Product {
        var product = content
        product.isFavorite = isFavorite
        return product
    }

    /// When the server last vouched for the content; `nil` when nobody told.
    var asOf: Date? { source.asOf ?? confirmedAt }

    /// Takes the moment for a question that is about to be asked.
    func ask() -> Question {
        store.ask()
    }

    /// Whether a later question than this one has been answered.
    func hasAnswered(after question: Question) -> Bool {
        contentTick > question.tick
    }

    /// Throws `CancellationError` when the user has signed out since the question was asked.
    func checkSession(of question: Question) throws {
        guard store.isCurrent(question) else { throw CancellationError() }
    }

    /// Throws "not found" when the newest answer was that there is no such product.
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

    /// Learns what the server answered to a tap on the star; its word is final.
    func settle(_ tap: Flag.Tap, with product: Product, from question: Question) throws {
        try check(product, from: question)
        update(.favorite) { $0.settle(tap, with: product.isFavorite, at: store.tick()) }
        store.keep(self)
        learnContent(product, from: question)
    }

    /// Learns from the error that an action threw; "not found" is an answer like any other.
    ///
    /// - Returns: What the error means: `CancellationError` when the task was cancelled or the user
    ///   has signed out meanwhile.
    func learn(_ error: any Error, from question: Question) -> any Error {
        guard !Task.isCancelled, store.isCurrent(question) else { return CancellationError() }
        if case ProductError.notFound(id) = error, question.tick > contentTick {
            contentTick = question.tick
            isForgotten = false
            isDeleted = true
            store.keep(self)
        }
        return error
    }
}

// What the user may change.
extension ProductRecord {
    /// What is known of the favorite status, or of the product's place in a list.
    func flag(of target: Target) -> Flag {
        switch target {
        case .favorite: favorite
        case .list(let list): membership(in: list).flag
        }
    }

    /// Changes what is known of a target, and shows it.
    func update<Value>(_ target: Target, _ change: (inout Flag) -> Value) -> Value {
        switch target {
        case .favorite:
            defer { show() }
            return change(&favorite)
        case .list(let list):
            return membership(in: list).update(change)
        }
    }

    /// Whether a list holds the product, as all screens of the product show it.
    func membership(in list: ProductList.ID) -> ListMembership {
        if let membership = memberships[list] { return membership }
        let membership = ListMembership(in: list)
        memberships[list] = membership
        return membership
    }
}

// Signing out.
extension ProductRecord {
    /// Drops every edit and every answer on its way, and believes the next value it is given.
    func startOver() {
        turns.dissolve()
        turns = Turns()
        favorite.withdrawAll()
        for membership in memberships.values { membership.update { $0 = Flag(false) } }
        memberships = [:]
        isForgotten = true
        resets += 1
        if isDeleted { isDeleted = false }
        show()
    }

    /// Takes over a new view model's value, if there is none that counts.
    func seed(_ product: Product, from source: FetchSource) {
        guard isForgotten else { return }
        isForgotten = false
        favorite.believe(product.isFavorite)
        setContent(product, from: source)
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

    @discardableResult private func learnAll(_ product: Product, from question: Question) -> Bool {
        update(.favorite) { $0.learn(product.isFavorite, askedAt: question.tick) }
        store.keep(self)
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
        setContent(product, from: .network)
        confirmedAt = store.now()
        return true
    }

    private func setContent(_ product: Product, from source: FetchSource) {
        // Mostly both are the server's word, which costs nothing to find out.
        if !(isConfirmed && source.isFromServer) {
            self.source = source
            isConfirmed = source.isFromServer
        }
        let product = product.withoutFavoriteStatus
        if product != content { content = product }
    }

    private func show() {
        if favorite.shown != isFavorite { isFavorite = favorite.shown }
    }
}

extension Product {
    fileprivate var withoutFavoriteStatus: Product {
        var product = self
        product.isFavorite = false
        return product
    }
}

// Taps, which show before the server has confirmed them.
extension ProductRecord {
    /// Shows a wish, until the tap is settled or withdrawn.
    func tap(_ wish: Bool, on target: Target) -> Flag.Tap {
        update(target) { $0.tap(wish, at: store.tick()) }
    }

    /// Removes a tap, which rolls back what it showed unless a later one shows the same.
    func withdraw(_ tap: Flag.Tap, on target: Target) {
        update(target) { $0.withdraw(tap) }
    }

    /// Learns why a tap that was sent has failed; a user who has signed out doubts nothing.
    func learn(_ error: any Error, ofTapOn target: Target, from question: Question) {
        guard store.isCurrent(question), error.leavesInDoubt else { return }
        update(target) { $0.doubt(at: store.tick()) }
    }
}

extension Error {
    /// Whether what was sent may have been carried out all the same.
    fileprivate var leavesInDoubt: Bool {
        if self is CancellationError { return true }
        guard let error = self as? NetworkError else { return false }
        if let status = error.statusCode { return status >= 500 || status < 300 }
        return [.timedOut, .connectionLost, .incomplete].contains(error.code)
    }
}

// The lists that hold the product.
extension ProductRecord {
    /// Learns that the server has done what a tap on a list wanted.
    func settle(_ tap: Flag.Tap, in list: ProductList.ID, from question: Question) throws {
        try checkSession(of: question)
        update(.list(list)) { $0.settle(tap, with: tap.wish, at: store.tick()) }
    }

    /// Learns which of the user's lists hold the product; lists that no server has confirmed seed.
    func learn(_ lists: Page<ProductList>, from question: Question) throws {
        try checkSession(of: question)
        guard lists.source.isFromServer else { return seed(lists.items) }
        for list in lists.items {
            let holdsProduct = list.products.contains(id)
            update(.list(list.id)) { $0.learn(holdsProduct, askedAt: question.tick) }
        }
    }

    /// Takes over what a new view model knows of lists, where nothing better is known.
    func seed(_ lists: [ProductList]) {
        for list in lists {
            update(.list(list.id)) { $0.seed(list.products.contains(id)) }
        }
    }
}
