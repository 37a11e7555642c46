// UIKit exports Foundation.
@_exported public import Foundation

// The class is not a subclass of NSObject here, whose initializer is not on the main actor.
@MainActor open class UIResponder {
    public init() {}
}

@MainActor open class UIView: UIResponder {
    public private(set) var subviews: [UIView] = []
    public private(set) weak var superview: UIView?
    public var window: UIView? { nil }
    open var backgroundColor: UIColor?

    public init(frame: CGRect) {
        super.init()
    }

    public convenience override init() {
        self.init(frame: .zero)
    }

    public required init?(coder: NSCoder) {
        super.init()
    }

    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        view.superview = self
        subviews.append(view)
    }

    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    open func layoutSubviews() {}

    public func layoutIfNeeded() {
        layoutSubviews()
        for view in subviews { view.layoutIfNeeded() }
    }
}

@MainActor open class UILabel: UIView {
    open var text: String?
}

@MainActor open class UIActivityIndicatorView: UIView {
    public enum Style: Int, Sendable {
        case medium = 100
        case large = 101
    }

    open private(set) var isAnimating = false
    /// The number of calls of `startAnimating()` and `stopAnimating()`.
    package private(set) var changes = 0

    public init(style: UIActivityIndicatorView.Style) {
        super.init(frame: .zero)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    open func startAnimating() {
        isAnimating = true
        changes += 1
    }

    open func stopAnimating() {
        isAnimating = false
        changes += 1
    }
}

@MainActor open class UIStackView: UIView {
    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addSubview(view) }
    }
}

public final class UIColor: Sendable {
    public class var systemBackground: UIColor { UIColor() }
}

public final class UIImage: Sendable {
    package let systemName: String

    public init?(systemName name: String) {
        systemName = name
    }
}
