public typealias UIActionHandler = (UIAction) -> Void

@MainActor open class UIAction {
    fileprivate let handler: UIActionHandler

    public init(
        title: String = "",
        image: UIImage? = nil,
        handler: @escaping UIActionHandler
    ) {
        self.handler = handler
    }
}

@MainActor open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public static let valueChanged = Event(rawValue: 1 << 12)

        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }
    }

    private var actions: [(action: UIAction, events: Event)] = []

    open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {
        actions.append((action, controlEvents))
    }

    open func sendActions(for controlEvents: UIControl.Event) {
        for (action, events) in actions where !events.isDisjoint(with: controlEvents) {
            action.handler(action)
        }
    }
}

@MainActor open class UIRefreshControl: UIControl {
    open private(set) var isRefreshing = false

    open func beginRefreshing() {
        isRefreshing = true
    }

    open func endRefreshing() {
        isRefreshing = false
    }
}

@MainActor open class UIBarButtonItem {
    open var title: String?
    open var image: UIImage?
    private let primaryAction: UIAction?

    public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil) {
        (self.title, self.image) = (title, image)
        self.primaryAction = primaryAction
    }

    /// Does the same as a tap on the button.
    package func tap() {
        if let primaryAction { primaryAction.handler(primaryAction) }
    }
}

@MainActor open class UISearchBar: UIView {
    open var text: String?
}
