/// Which of the user's lists a screen shows.
///
/// **An answer counts as of when it was asked.** What became known of a single list after all lists
/// were asked for, that it was created or is gone, is put right in their answer.
struct ListShelf {
    typealias Question = ProductStore.Question

    /// The lists, in the backend's order; those created here come last.
    private(set) var lists: [ProductList] = []

    private var answered: Question?
    private var news: [ProductList.ID: (question: Question, list: ProductList?)] = [:]

    /// - Parameter lists: What to show until something newer is known.
    init(_ lists: [ProductList] = []) {
        self.lists = lists
    }

    /// Whether this question or a later one has been answered.
    func hasAnswered(_ question: Question) -> Bool {
        answered.map { $0 >= question } ?? false
    }

    /// Learns all lists, unless a later question has been answered.
    ///
    /// Lists that no server has confirmed only stand in until it has.
    ///
    /// - Returns: Whether these are the lists to show.
    mutating func learn(_ page: Page<ProductList>, from question: Question) -> Bool {
        guard !hasAnswered(question) else { return false }
        if page.source.isFromServer {
            answered = question
            news = news.filter { $0.value.question > question }
        } else if answered != nil {
            return false
        }
        var met: Set<ProductList.ID> = []
        lists = page.items.filter { met.insert($0.id).inserted }
        let changes = news.sorted { $0.value.question < $1.value.question }
        for (id, change) in changes { put(change.list, at: id) }
        return true
    }

    /// Learns what a single list is at this moment, `nil` that it is gone.
    mutating func learn(_ list: ProductList?, of id: ProductList.ID, at moment: Question) {
        news[id] = (moment, list)
        put(list, at: id)
    }

    private mutating func put(_ list: ProductList?, at id: ProductList.ID) {
        let place = lists.firstIndex { $0.id == id }
        switch (list, place) {
        case (let list?, let place?): lists[place] = list
        case (let list?, nil): lists.append(list)
        case (nil, let place?): lists.remove(at: place)
        case (nil, nil): break
        }
    }
}
