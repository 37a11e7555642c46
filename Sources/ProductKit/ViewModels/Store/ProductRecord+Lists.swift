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
        guard lists.source.isConfirmed else { return seed(lists.items) }
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
