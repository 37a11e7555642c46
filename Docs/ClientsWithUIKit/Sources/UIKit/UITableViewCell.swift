import Foundation

@MainActor open class UITableViewCell: UIView {
    public enum CellStyle: Int, Sendable {
        case `default`
    }

    public let reuseIdentifier: String?
    open var contentConfiguration: (any UIContentConfiguration)?
    open var configurationState: UICellConfigurationState { UICellConfigurationState() }
    /// How often `updateConfiguration(using:)` was called.
    package private(set) var updates = 0
    private var needsUpdateConfiguration = true

    // Every class of cells has this initializer in UIKit.
    public required init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
    }

    public required init?(coder: NSCoder) {
        reuseIdentifier = nil
        super.init(coder: coder)
    }

    open func defaultContentConfiguration() -> UIListContentConfiguration {
        UIListContentConfiguration()
    }

    open func setNeedsUpdateConfiguration() {
        needsUpdateConfiguration = true
    }

    open func updateConfiguration(using state: UICellConfigurationState) {
        updates += 1
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        guard needsUpdateConfiguration else { return }
        needsUpdateConfiguration = false
        updateConfiguration(using: configurationState)
    }
}

@MainActor public protocol UIConfigurationState {}

public struct UICellConfigurationState: UIConfigurationState {}

@MainActor public protocol UIContentConfiguration {
    func updated(for state: any UIConfigurationState) -> Self
}

public struct UIListContentConfiguration: UIContentConfiguration {
    public var text: String?
    public var secondaryText: String?

    public func updated(for state: any UIConfigurationState) -> Self { self }
}
