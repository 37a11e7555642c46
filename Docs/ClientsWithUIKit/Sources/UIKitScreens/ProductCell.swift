import Observation
import ProductKit
import UIKit

final class ProductCell: UITableViewCell {
    var row: ProductRow? {
        didSet { setNeedsUpdateConfiguration() }
    }

    override func updateConfiguration(using state: UICellConfigurationState) {
        super.updateConfiguration(using: state)
        guard let row else { return }
        var content = defaultContentConfiguration().updated(for: state)
        withObservationTracking {
            content.text = row.title
            content.secondaryText = row.isFavorite ? "★" : row.priceText
        } onChange: { [weak self] in
            Task { @MainActor in self?.setNeedsUpdateConfiguration() }
        }
        contentConfiguration = content
    }
}
